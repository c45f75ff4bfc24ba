"""Signed notes and checkpoints: published ones are read, ours are written so, anything else is refused."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime, timedelta, timezone

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import IllegalError
from houseway.intake import IntakeError
from houseway.store.signed_notes import (
    Cosigner,
    Details,
    ForgedSignatureError,
    Note,
    Signature,
    SignatureKind,
    Signer,
    TreeHead,
    UnknownSignerError,
    Verifier,
    check_note,
    read_details,
    read_note,
    read_signature,
    read_tree_head,
    read_verifier,
    sign_note,
)

any_time = settings(deadline=None, max_examples=60)
LARGEST, LONGEST_NOTE, MOST_SIGNATURES = 2**63 - 1, 262_144, 32

# --- published vectors --------------------------------------------------------------------------------

GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SECRET = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
)
GO_NOTE = f"""{GO_TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
"""Of the documentation of golang.org/x/mod/sumdb/note."""

C2SP_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
C2SP_NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
"""Of C2SP signed-note."""

ARCHE_KEY = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
WITNESS_KEYS = (
    "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
)
ARCHE_NOTE = """arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
"""  # noqa: E501 - as it was published
"""A checkpoint of a public log of certificates, with the cosignatures of two public witnesses."""


def test_the_note_of_the_go_documentation_is_read_and_was_signed() -> None:
    note, verifier = read_note(GO_NOTE.encode()), read_verifier(GO_KEY)
    assert note.text == GO_TEXT
    assert note.encode() == GO_NOTE.encode()
    assert str(verifier) == GO_KEY
    assert [item.by for item in check_note(note, [verifier])] == [verifier]
    secret = base64.b64decode(GO_SECRET)[1:]
    signer = Signer("PeterNeumann", secret)
    assert signer.verifier == verifier
    assert sign_note(GO_TEXT, signer).encode() == GO_NOTE.encode()


def test_the_note_of_the_specification_is_read_and_was_signed() -> None:
    note, verifier = read_note(C2SP_NOTE.encode()), read_verifier(C2SP_KEY)
    assert note.text == "This is an example message.\n"
    assert str(verifier) == C2SP_KEY
    assert [item.by for item in check_note(note, [verifier])] == [verifier]


def test_a_public_logs_checkpoint_is_read_with_the_cosignatures_of_public_witnesses() -> None:
    """The log signs twice, once in a way that is not known here: that signature is passed over."""
    note = read_note(ARCHE_NOTE.encode())
    assert note.encode() == ARCHE_NOTE.encode()
    head = read_tree_head(note.text)
    assert (head.origin, head.size) == ("arche2025h1.staging.ct.transparency.dev", 1_432_088_532)
    assert base64.b64encode(head.root).decode() == "U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro="
    keys = [read_verifier(text) for text in (ARCHE_KEY, *WITNESS_KEYS)]
    assert [str(key) for key in keys] == [ARCHE_KEY, *WITNESS_KEYS]
    signed = check_note(note, keys)
    assert [item.by.name for item in signed] == [key.name for key in keys]
    seen = int(datetime(2026, 5, 23, 21, 50, 24, tzinfo=UTC).timestamp())
    assert [item.time for item in signed] == [None, seen, seen]
    for text in (note.text.replace("1432088532", "1432088533"), f"{note.text}more\n"):
        for key in keys:
            with pytest.raises(ForgedSignatureError, match=key.name):
                check_note(Note(text, note.signatures), [key])


def test_the_example_of_a_checkpoint_is_read() -> None:
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    head = read_tree_head(text)
    assert (head.origin, head.size, head.extensions) == ("example.com/behind-the-sofa", 20_852_163, ())
    assert head.text == text


# --- ours -----------------------------------------------------------------------------------------------

LOG, OTHER = Signer("floor.example/log", bytes(range(32))), Signer("floor.example/log", bytes(32))
WITNESS = Cosigner("auditor.example/w1", bytes(range(32, 64)))
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
ROOT, HEADS = hashlib.sha256(b"root").digest(), hashlib.sha256(b"heads").digest()
HEAD = TreeHead("floor.example/log", 3271, ROOT, Details(HEADS, NOON, 7).lines())
TEXT = f"""floor.example/log
3271
{base64.b64encode(ROOT).decode()}
heads {HEADS.hex()}
at 2026-01-31T12:00:00Z
number 7
"""


def test_a_checkpoint_is_written_as_the_format_says_and_read_again() -> None:
    assert HEAD.text == TEXT
    assert read_tree_head(TEXT) == HEAD
    assert read_details(HEAD.extensions) == Details(HEADS, NOON, 7)


def test_a_signature_is_of_the_text_by_the_key_with_the_id_of_the_format() -> None:
    note = sign_note(TEXT, LOG)
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = secret.public_key().public_bytes_raw()
    key_id = hashlib.sha256(b"floor.example/log\n\x01" + public).digest()[:4]
    value = base64.b64encode(key_id + secret.sign(TEXT.encode())).decode()
    assert note.encode().decode() == f"{TEXT}\n— floor.example/log {value}\n"
    key = base64.b64encode(b"\x01" + public).decode()
    assert str(LOG.verifier) == f"floor.example/log+{key_id.hex()}+{key}"
    assert read_verifier(str(LOG.verifier)) == LOG.verifier
    assert [item.time for item in check_note(read_note(note.encode()), [LOG.verifier])] == [None]


def test_a_cosignature_is_of_the_text_and_the_time_by_another_kind_of_key() -> None:
    signature = WITNESS.sign(HEAD, 1_700_000_000)
    public = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))).public_key()
    name = b"auditor.example/w1\n\x04"
    assert signature.key_id == hashlib.sha256(name + public.public_bytes_raw()).digest()[:4]
    assert signature.value[:8] == (1_700_000_000).to_bytes(8, "big")
    public.verify(signature.value[8:], b"cosignature/v1\ntime 1700000000\n" + TEXT.encode())
    verifier = read_verifier(str(WITNESS.verifier))
    assert verifier == WITNESS.verifier
    note = read_note(sign_note(TEXT, LOG).with_signature(signature).encode())
    (signed,) = check_note(note, [verifier])
    assert (signed.by, signed.time) == (verifier, 1_700_000_000)
    assert [item.by for item in check_note(note, [verifier, LOG.verifier])] == [verifier, LOG.verifier]


def test_a_later_cosignature_takes_the_place_of_an_earlier_one() -> None:
    note = sign_note(TEXT, LOG).with_signature(WITNESS.sign(HEAD, 1)).with_signature(WITNESS.sign(HEAD, 2))
    assert [item.time for item in check_note(note, [LOG.verifier, WITNESS.verifier])] == [None, 2]
    assert len(note.signatures) == 2


def test_an_hour_elsewhere_is_written_in_universal_time() -> None:
    pacific = NOON.astimezone(timezone(timedelta(hours=-8)))
    assert Details(HEADS, pacific, 7).lines()[1] == "at 2026-01-31T12:00:00Z"
    exact = NOON + timedelta(microseconds=250_000)
    lines = Details(HEADS, exact, 0).lines()
    assert lines[1:] == ("at 2026-01-31T12:00:00.250000Z", "number 0")
    assert read_details(lines) == Details(HEADS, exact, 0)
    with pytest.raises(IllegalError, match="in a zone"):
        Details(HEADS, NOON.replace(tzinfo=None), 7).lines()


# --- who signed -----------------------------------------------------------------------------------------


def test_signatures_by_unknown_keys_are_passed_over_and_alone_are_not_enough() -> None:
    note = sign_note(TEXT, LOG, OTHER)  # two keys of one name
    assert [item.by for item in check_note(note, [OTHER.verifier])] == [OTHER.verifier]
    stranger = Signer("elsewhere.example", bytes(range(32))).verifier
    for verifiers in ([], [stranger], [WITNESS.verifier]):
        with pytest.raises(UnknownSignerError, match=r"no key that counts here: 'floor\.example/log"):
            check_note(note, verifiers)


def test_a_key_that_is_named_twice_counts_once() -> None:
    assert len(check_note(sign_note(TEXT, LOG), [LOG.verifier, LOG.verifier])) == 1


def test_one_forged_signature_by_a_known_key_spoils_the_note() -> None:
    good = sign_note(TEXT, LOG, OTHER)
    forged = Signature(OTHER.verifier.name, OTHER.verifier.key_id, good.signatures[0].value)
    note = good.with_signature(forged)
    assert check_note(note, [LOG.verifier])
    with pytest.raises(ForgedSignatureError):
        check_note(note, [LOG.verifier, OTHER.verifier])


@any_time
@given(st.data())
def test_a_signature_with_another_bit_is_refused(data: st.DataObject) -> None:
    good = data.draw(st.sampled_from([LOG.sign(TEXT), WITNESS.sign(HEAD, 1_700_000_000)]))
    verifiers = [LOG.verifier, WITNESS.verifier]
    value = bytearray(good.value)
    bit = data.draw(st.integers(0, 8 * len(value) - 1))
    value[bit // 8] ^= 1 << bit % 8
    for changed in (bytes(value), good.value[: bit // 8], good.value + b"\x00"):
        with pytest.raises(ForgedSignatureError):
            check_note(Note(TEXT, (Signature(good.name, good.key_id, changed),)), verifiers)


@any_time
@given(st.data())
def test_a_note_with_another_byte_is_refused_or_not_believed(data: st.DataObject) -> None:
    """Whatever a byte is changed to, not both signatures are still good, and the log's text is the same."""
    whole = bytearray(sign_note(TEXT, LOG).with_signature(WITNESS.sign(HEAD, 5)).encode())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    try:
        note = read_note(bytes(whole))
        signed = check_note(note, [LOG.verifier, WITNESS.verifier])
    except (IntakeError, UnknownSignerError, ForgedSignatureError):
        return
    assert len(signed) == 1  # the name or the id of the other key is another now
    assert note.text == TEXT


def test_neither_kind_of_signature_passes_for_the_other() -> None:
    """With one secret for both, which nobody should use, what one signed is no signature of the other."""
    witness = Cosigner("floor.example/log", bytes(range(32)))
    cosignature, signature = witness.sign(HEAD, 9), LOG.sign(TEXT)
    assert cosignature.key_id != signature.key_id
    as_note = Signature(signature.name, signature.key_id, cosignature.value[8:])
    with pytest.raises(ForgedSignatureError):
        check_note(Note(TEXT, (as_note,)), [LOG.verifier])
    with pytest.raises(IllegalError, match="only a witness signs"):
        LOG.sign(f"cosignature/v1\ntime 9\n{TEXT}")


def test_there_is_no_time_beyond_the_largest() -> None:
    assert WITNESS.verifier.check(TEXT, WITNESS.sign(HEAD, LARGEST)).time == LARGEST
    assert WITNESS.verifier.check(TEXT, WITNESS.sign(HEAD, 0)).time == 0
    for time in (-1, LARGEST + 1):
        with pytest.raises(IllegalError, match="seconds since 1970"):
            WITNESS.sign(HEAD, time)
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))
    value = secret.sign(f"cosignature/v1\ntime {2**63}\n{TEXT}".encode())
    later = Signature(WITNESS.verifier.name, WITNESS.verifier.key_id, (2**63).to_bytes(8, "big") + value)
    with pytest.raises(ForgedSignatureError, match="no such time"):
        WITNESS.verifier.check(TEXT, later)


# --- what is not written as it should be ----------------------------------------------------------------

LINE, OTHER_LINE = str(LOG.sign(TEXT)), str(LOG.sign("other\n"))


@pytest.mark.parametrize(
    ("cause", "whole"),
    [
        ("control characters", f"{TEXT}\n{LINE}\n".replace("3271\n", "3271\r\n")),
        ("not written in base64", f"{TEXT}\n{LINE}\r\n"),
        ("control characters", f"{TEXT}a\tb\n\n{LINE}\n"),
        ("control characters", f"{TEXT}a\x00b\n\n{LINE}\n"),
        ("control characters", f"{TEXT}a\x1fb\n\n{LINE}\n"),
        ("a text, an empty line, and signatures", ""),
        ("a text, an empty line, and signatures", TEXT),
        ("a text, an empty line, and signatures", f"{TEXT}\n"),
        ("a text, an empty line, and signatures", f"{TEXT}\n{LINE}"),
        ("a text, an empty line, and signatures", f"{TEXT}\n{LINE}\n\n"),
        ("a text, an empty line, and signatures", f"{TEXT}\n{LINE}\njunk"),
        ("a text, an empty line, and signatures", f"{TEXT}{LINE}\n"),
        ("begins with an em dash", f"{TEXT}\n{LINE}\njunk\n"),
        ("begins with an em dash", f"{TEXT}\njunk\n{LINE}\n"),
        ("begins with an em dash", f"{TEXT}\n {LINE}\n"),
        ("begins with an em dash", f"{TEXT}\n{LINE.replace('—', '-')}\n"),
        ("begins with an em dash", f"{TEXT}\n{LINE.replace('— ', '—')}\n"),
        ("a name and a value", f"{TEXT}\n— floor.example/log\n"),
        ("no space, no plus", f"{TEXT}\n—  AAAAAAAA\n"),
        ("no space, no plus", f"{TEXT}\n— floor+log AAAAAAAA\n"),
        ("no space, no plus", f"{TEXT}\n— floor\u00a0log AAAAAAAA\n"),
        ("no space, no plus", f"{TEXT}\n— floor\u2028log AAAAAAAA\n"),
        ("no space, no plus", f"{TEXT}\n— floor\x01log AAAAAAAA\n"),
        ("not written in base64", f"{TEXT}\n{LINE} \n"),
        ("not written in base64", f"{TEXT}\n{LINE.removesuffix('=')}\n"),
        ("not written in base64", f"{TEXT}\n{LINE}=\n"),
        ("not written in base64", f"{TEXT}\n— floor.example/log AAAAAAB=\n"),  # bits behind the last byte
        ("not written in base64", f"{TEXT}\n— floor.example/log -_AAAAA=\n"),
        ("not written in base64", f"{TEXT}\n— floor.example/log \n"),
        ("a key id and a value", f"{TEXT}\n— floor.example/log AAAAAA==\n"),
        ("signs a note once", f"{TEXT}\n{LINE}\n{LINE}\n"),
        ("signs a note once", f"{TEXT}\n{LINE}\n{OTHER_LINE}\n"),
    ],
)
def test_a_note_that_is_not_written_as_notes_are_is_refused(cause: str, whole: str) -> None:
    with pytest.raises(IntakeError, match=cause):
        read_note(whole.encode())


def test_a_note_is_text() -> None:
    with pytest.raises(IntakeError, match="UTF-8: 3"):
        read_note(b"abc\xff\n\n" + LINE.encode() + b"\n")


def test_a_note_has_a_longest_and_a_most() -> None:
    line = f"\n{LINE}\n".encode()
    longest = b"a" * (LONGEST_NOTE - len(line) - 1) + b"\n" + line
    assert read_note(longest).encode() == longest
    with pytest.raises(IntakeError, match="at most 262,144 bytes: 262145"):
        read_note(b"a" + longest)
    signers = [Signer(f"key{number}", bytes(32)) for number in range(MOST_SIGNATURES + 1)]
    assert len(read_note(sign_note("a\n", *signers[:-1]).encode()).signatures) == MOST_SIGNATURES
    with pytest.raises(IntakeError, match="at most 32 signatures: 33"):
        read_note(sign_note("a\n", *signers).encode())


def test_the_last_empty_line_parts_the_text_from_the_signatures() -> None:
    """A text may have empty lines, and lines that look like signatures: they are signed, and sign nothing."""
    for text in (f"{TEXT}\n{LINE}\n", "\n", "a\n\n", "\n\na\n"):
        note = read_note(sign_note(text, OTHER).encode())
        assert note.text == text
        with pytest.raises(UnknownSignerError):
            check_note(note, [LOG.verifier])
        assert check_note(note, [OTHER.verifier])


def test_what_is_no_text_of_a_note_is_not_signed() -> None:
    for text in ("", "no end", "a\rb\n", "a\tb\n"):
        with pytest.raises(IntakeError):
            sign_note(text, LOG)


@pytest.mark.parametrize(
    ("cause", "lines"),
    [
        ("an origin, a size and a root: '2 lines'", ["log", "3"]),
        ("not empty", ["", "3", "R"]),
        ("not empty", ["log", "3", "R", ""]),
        ("not empty", ["log", "3", "R", "", "at"]),
        ("size: a number from 0", ["log", "03", "R"]),
        ("size: a number from 0", ["log", "00", "R"]),
        ("size: a number from 0", ["log", "", "R"]),
        ("size: a number from 0", ["log", "+3", "R"]),
        ("size: a number from 0", ["log", "-3", "R"]),
        ("size: a number from 0", ["log", "3 ", "R"]),
        ("size: a number from 0", ["log", "3_0", "R"]),
        ("size: a number from 0", ["log", "0x3", "R"]),
        ("size: a number from 0", ["log", "3.0", "R"]),
        ("size: a number from 0", ["log", "\u0663", "R"]),
        ("size: a number from 0", ["log", str(2**63), "R"]),
        ("size: a number from 0", ["log", "9" * 5000, "R"]),
        ("root: not written in base64", ["log", "3", ""]),
        ("root: not written in base64", ["log", "3", ROOT.hex() + "!"]),
        ("a root has 32 bytes: 31", ["log", "3", base64.b64encode(ROOT[1:]).decode()]),
        ("a root has 32 bytes: 33", ["log", "3", base64.b64encode(ROOT + b"!").decode()]),
        ("not the root of the empty tree", ["log", "0", "R"]),
    ],
)
def test_a_checkpoint_that_is_not_written_as_checkpoints_are_is_refused(cause: str, lines: list[str]) -> None:
    written = [base64.b64encode(ROOT).decode() if line == "R" else line for line in lines]
    with pytest.raises(IntakeError, match=cause):
        read_tree_head("".join(f"{line}\n" for line in written))


def test_sizes_at_either_end_are_read() -> None:
    empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    assert read_tree_head(f"log\n0\n{empty}\n").size == 0
    assert read_tree_head(f"log\n{2**63 - 1}\n{base64.b64encode(ROOT).decode()}\n").size == LARGEST


def test_a_tree_head_that_could_not_be_read_again_is_not_made() -> None:
    for origin, size, root, more in (
        ("", 3, ROOT, ()),
        ("a\nb", 3, ROOT, ()),
        ("a\rb", 3, ROOT, ()),
        ("log", -1, ROOT, ()),
        ("log", 2**63, ROOT, ()),
        ("log", 3, ROOT[1:], ()),
        ("log", 0, ROOT, ()),
        ("log", 3, ROOT, ("number 7\n",)),
    ):
        with pytest.raises(IntakeError):
            TreeHead(origin, size, root, more)


@any_time
@given(st.text(st.sampled_from("log0123\n\r +—=A/"), max_size=30))
def test_whatever_is_read_is_written_again_to_the_byte(junk: str) -> None:
    for whole in (f"{TEXT}{junk}\n{LINE}\n", f"{TEXT}\n{LINE}\n{junk}", f"{junk}{TEXT}\n{LINE}\n"):
        try:
            note = read_note(whole.encode())
            head = read_tree_head(note.text)
        except IntakeError:
            continue
        assert note.encode() == whole.encode()
        assert head.text == note.text


@pytest.mark.parametrize(
    ("cause", "lines"),
    [
        ("the further lines are heads, at and number: ''", []),
        ("the further lines are heads, at and number", ["heads", "at"]),
        ("the further lines are heads, at and number", ["at", "heads", "number"]),
        ("the further lines are heads, at and number", ["heads", "at", "number", "number"]),
        ("heads: a hash has 64 hexadecimal digits", ["heads " + "a" * 62, "at", "number"]),
        ("heads: a hash has 64 hexadecimal digits", ["heads " + "a" * 66, "at", "number"]),
        ("heads: a hash has 64 hexadecimal digits", ["heads " + "A" * 64, "at", "number"]),
        ("heads: a hash has 64 hexadecimal digits", ["heads  " + "a" * 63, "at", "number"]),
        ("at: not a moment", ["heads", "at noon", "number"]),
        ("at: not a moment", ["heads", "at 2026-02-30T12:00:00Z", "number"]),
        ("at: a moment is written in universal time", ["heads", "at 2026-01-31T12:00:00", "number"]),
        ("at: a moment is written in universal time", ["heads", "at 2026-01-31T12:00:00+00:00", "number"]),
        ("at: a moment is written in universal time", ["heads", "at 2026-01-31T04:00:00-08:00", "number"]),
        ("at: a moment is written in universal time", ["heads", "at 2026-01-31 12:00:00Z", "number"]),
        ("at: a moment is written in universal time", ["heads", "at 20260131T120000Z", "number"]),
        ("number: a number from 0", ["heads", "at", "number 07"]),
        ("number: a number from 0", ["heads", "at", "number  7"]),
        ("number: a number from 0", ["heads", "at", "number "]),
    ],
)
def test_details_that_are_not_written_so_are_refused(cause: str, lines: list[str]) -> None:
    right = dict(zip(("heads", "at", "number"), HEAD.extensions, strict=True))
    with pytest.raises(IntakeError, match=cause):
        read_details([right.get(line, line) for line in lines])


# --- keys -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        ("key id is not of this name", GO_KEY.replace("c74f20a3", "00000000")),
        ("key id is not of this name", GO_KEY.replace("c74f20a3", "C74F20A3")),
        ("key id is not of this name", GO_KEY.replace("c74f20a3", "c74f20a")),
        ("key id is not of this name", GO_KEY.replace("PeterNeumann", "PeterNewman")),
        ("key id is not of this name", GO_KEY.replace("qq/", "qq+")),
        ("no space, no plus", GO_KEY.replace("PeterNeumann", "")),
        ("no space, no plus", GO_KEY.replace("PeterNeumann", "Peter Neumann")),
        ("not written in base64", "PeterNeumann+c74f20a3"),
        ("not written in base64", f"{GO_KEY}\n"),
        ("a key has 32 bytes: 31", "n+00000000+" + base64.b64encode(b"\x01" + bytes(31)).decode()),
        ("a key has 32 bytes: 33", "n+00000000+" + base64.b64encode(b"\x01" + bytes(33)).decode()),
        ("of a kind that is not known", "n+00000000+" + base64.b64encode(b"\x02" + bytes(32)).decode()),
        ("of a kind that is not known", "n+00000000+" + base64.b64encode(b"\x06" + bytes(32)).decode()),
    ],
)
def test_a_key_that_is_not_written_as_keys_are_is_refused(cause: str, text: str) -> None:
    with pytest.raises(IntakeError, match=cause):
        read_verifier(text)


def test_a_secret_has_32_bytes_and_a_key_a_name() -> None:
    for secret in (b"", bytes(31), bytes(33)):
        with pytest.raises(IllegalError, match="a key of 32 bytes is needed"):
            Signer("log", secret)
        with pytest.raises(IllegalError, match="a key of 32 bytes is needed"):
            Cosigner("log", secret)
    for name in ("", "a b", "a+b", "a\nb"):
        with pytest.raises(IntakeError, match="the name of a key"):
            Signer(name, bytes(32))


def test_a_key_that_is_no_point_signs_nothing() -> None:
    verifier = Verifier("log", b"\xff" * 32, SignatureKind.NOTE)
    note = Note("a\n", (Signature("log", verifier.key_id, bytes(64)),))
    with pytest.raises(ForgedSignatureError):
        check_note(note, [verifier])


def test_a_signature_line_is_read_alone() -> None:
    """As a witness answers with it."""
    signature = WITNESS.sign(HEAD, 3)
    assert read_signature(str(signature)) == signature
    public = Ed25519PublicKey.from_public_bytes(WITNESS.verifier.public_key)
    public.verify(signature.value[8:], b"cosignature/v1\ntime 3\n" + TEXT.encode())
    with pytest.raises(IntakeError, match="base64"):
        read_signature(f"{signature}\n")
