"""A witness signs what only adds to what it has seen, and keeps what a log cannot take back."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import IllegalError
from houseway.store.entries import BrokenChainError
from houseway.store.signed_notes import (
    Cosigner,
    Details,
    ForgedSignatureError,
    Note,
    Signature,
    Signer,
    TreeHead,
    UnknownSignerError,
    Verifier,
    check_note,
    read_note,
    sign_note,
)
from houseway.store.tree import (
    EMPTY_ROOT,
    BrokenProofError,
    Frontier,
    Hash,
    Proof,
    consistency_proof,
    leaf_hash,
)
from houseway.store.witness import (
    Evidence,
    ForkedTreeError,
    OldCheckpointError,
    WitnessAnswer,
    check_evidence,
    cosign,
)

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
LOG = Signer("floor.example/log", bytes(range(32)))
KEYS = [LOG.verifier]
WITNESS = Cosigner("auditor.example/w1", bytes(range(32, 64)))


class Tree:
    """A log with its leaves, as a floor has it; some of them may be written anew."""

    def __init__(self, size: int, *, anew: Sequence[int] = (), signer: Signer = LOG) -> None:
        self.signer, self.nodes, self.heads = signer, dict[tuple[int, int], Hash](), [Frontier()]
        for index in range(size):
            data = f"leaf {index}{' anew' if index in anew else ''}".encode()
            frontier, nodes = self.heads[-1].append(leaf_hash(data))
            self.heads.append(frontier)
            self.nodes.update({(node.level, node.index): node.hash for node in nodes})

    def note(self, size: int, *more: str) -> Note:
        """Sign a checkpoint of the first so many leaves."""
        head = TreeHead(self.signer.verifier.name, size, self.heads[size].root(), more)
        return sign_note(head.text, self.signer)

    def proof(self, old: int, new: int) -> Proof:
        """Prove that the first so many leaves are the beginning of so many more."""
        return consistency_proof(old, new, lambda level, index: self.nodes[level, index])


def seen(
    last: Note | None, note: Note, proof: Sequence[Hash] = (), keys: Sequence[Verifier] = KEYS
) -> WitnessAnswer:
    return cosign(keys, WITNESS, last, note, proof, NOON)


# --- what is signed -------------------------------------------------------------------------------------


def test_a_log_that_only_grows_is_cosigned_all_the_way() -> None:
    tree, last, before = Tree(70), None, 0
    for hours, size in enumerate((0, 0, 1, 1, 2, 7, 8, 33, 64, 64, 69, 70)):
        note, now = tree.note(size, *Details(bytes(32), NOON, hours).lines()), NOON + timedelta(hours=hours)
        cosigned = cosign(KEYS, WITNESS, last, note, tree.proof(before, size), now)
        whole = read_note(note.with_signature(cosigned.signature).encode())
        signed = check_note(whole, [LOG.verifier, WITNESS.verifier])
        assert [item.time for item in signed] == [None, int(now.timestamp())]
        assert cosigned.last == note
        last, before = read_note(cosigned.last.encode()), size  # kept as text meanwhile


def test_the_first_checkpoint_is_taken_as_it_is() -> None:
    note = Tree(5).note(5)
    assert seen(None, note).last == note
    with pytest.raises(BrokenProofError, match="nothing to prove"):
        seen(None, note, Tree(5).proof(3, 5))


def test_nothing_but_the_logs_own_signature_is_kept_of_a_checkpoint() -> None:
    note = Tree(5).note(5)
    stranger = Signature("somebody.example", bytes(4), bytes(5000))
    assert seen(None, note.with_signature(stranger)).last == note


def test_a_log_that_has_changed_its_key_is_known_by_the_former_one() -> None:
    former = Signer("floor.example/log", bytes(32))
    last = Tree(5, signer=former).note(5)
    keys = [LOG.verifier, former.verifier]
    assert seen(last, Tree(9).note(9), Tree(9).proof(5, 9), keys).last == Tree(9).note(9)
    with pytest.raises(UnknownSignerError):
        seen(last, Tree(9).note(9), Tree(9).proof(5, 9))


def test_the_time_is_that_of_the_world() -> None:
    with pytest.raises(IllegalError, match="in a zone"):
        cosign(KEYS, WITNESS, None, Tree(5).note(5), (), NOON.replace(tzinfo=None))


# --- what is refused, and shows nothing ---------------------------------------------------------------


def test_an_unknown_signer_is_refused() -> None:
    note = Tree(5, signer=Signer("floor.example/log", bytes(32))).note(5)
    with pytest.raises(UnknownSignerError, match="no key that counts here"):
        seen(None, note)
    with pytest.raises(UnknownSignerError, match="no key that counts here"):
        seen(None, Note(note.text, ()))


def test_a_forged_signature_is_refused() -> None:
    note = Tree(5).note(5)
    with pytest.raises(ForgedSignatureError):
        seen(None, Note(Tree(6).note(6).text, note.signatures))


def test_a_key_speaks_for_its_own_log_only() -> None:
    note = sign_note(TreeHead("other.example/log", 0, EMPTY_ROOT).text, LOG)
    with pytest.raises(UnknownSignerError, match=r"of another log than the key: 'other\.example/log'"):
        seen(None, note)


def test_what_is_no_checkpoint_is_refused() -> None:
    with pytest.raises(ValueError, match="an origin, a size and a root"):
        seen(None, sign_note("floor.example/log\n", LOG))


def test_a_smaller_tree_is_refused_with_the_size_that_was_seen() -> None:
    tree = Tree(9)
    for size in (0, 1, 8):
        with pytest.raises(OldCheckpointError, match=f"'size {size}, seen 9'") as refusal:
            seen(tree.note(9), tree.note(size), tree.proof(size, 9))
        assert refusal.value.size == 9


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_proof_that_does_not_lead_to_the_new_root_is_refused_and_shows_nothing(data: st.DataObject) -> None:
    new = data.draw(st.integers(2, 40))
    old = data.draw(st.integers(1, new - 1))
    tree = Tree(new)
    proof = list(tree.proof(old, new))
    at = data.draw(st.integers(0, len(proof) - 1))
    way = data.draw(st.sampled_from(("changed", "less", "more", "none", "short")))
    if way == "changed":
        proof[at] = hashlib.sha256(proof[at]).digest()
    elif way == "less":
        del proof[at]
    elif way == "more":
        proof.insert(at, proof[at])
    elif way == "none":
        proof.clear()
    else:
        proof[at] = proof[at][1:]
    with pytest.raises(BrokenProofError):
        seen(tree.note(old), tree.note(new), proof)


def test_the_same_tree_needs_no_proof() -> None:
    tree = Tree(9)
    later = tree.note(9, *Details(bytes(32), NOON, 2).lines())
    assert seen(tree.note(9), later).last == later
    with pytest.raises(BrokenProofError, match="nothing to prove"):
        seen(tree.note(9), later, tree.proof(5, 9))


# --- what is evidence -----------------------------------------------------------------------------------


def test_two_roots_of_one_size_are_evidence() -> None:
    first, second = Tree(9).note(9), Tree(9, anew=[8]).note(9)
    with pytest.raises(ForkedTreeError, match=r"two roots.*'floor\.example/log, size 9 and 9'") as refusal:
        seen(first, second, [bytes(32)])
    evidence = refusal.value.evidence
    assert evidence == Evidence(first.encode(), second.encode())
    assert check_evidence(KEYS, evidence) == "two roots are signed for one size"
    assert isinstance(refusal.value, BrokenChainError)


@pytest.mark.parametrize(
    ("old", "new"), [(3, 4), (3, 9), (5, 6), (6, 9), (7, 20), (12, 13), (31, 33), (33, 64)]
)
def test_a_tree_that_was_written_anew_convicts_itself_by_its_own_proof(old: int, new: int) -> None:
    """The log is asked for a proof and gives the one it has: of its new tree, which begins otherwise."""
    before = Tree(old).note(old)
    for index in {0, old // 2, old - 1}:
        tree = Tree(new, anew=[index])
        after, proof = tree.note(new), tree.proof(old, new)
        with pytest.raises(ForkedTreeError, match="begins otherwise") as refusal:
            seen(before, after, proof)
        evidence = refusal.value.evidence
        assert evidence == Evidence(before.encode(), after.encode(), proof)
        assert check_evidence(KEYS, evidence) == "a larger tree is signed that begins otherwise"
    tree = Tree(new, anew=range(old, new))  # which is only what comes after
    assert seen(before, tree.note(new), tree.proof(old, new)).last == tree.note(new)


@pytest.mark.parametrize(("old", "new"), [(1, 2), (2, 3), (4, 9), (8, 9), (16, 31)])
def test_a_tree_that_was_written_anew_is_refused_even_if_its_proof_shows_nothing(old: int, new: int) -> None:
    """The root of so many leaves is not in the proof, so that the proof says nothing else of it."""
    tree = Tree(new, anew=[0])
    with pytest.raises(BrokenProofError, match="does not lead to the new root"):
        seen(Tree(old).note(old), tree.note(new), tree.proof(old, new))


def test_evidence_is_checked_by_whoever_has_the_logs_key() -> None:
    first, second = Tree(9).note(9), Tree(9, anew=[8]).note(9)
    stranger = Signer("floor.example/log", bytes(32))
    by_another = Tree(9, anew=[8], signer=stranger).note(9)
    with pytest.raises(UnknownSignerError):
        check_evidence(KEYS, Evidence(first.encode(), by_another.encode()))
    forged = Note(second.text, first.signatures)
    with pytest.raises(ForgedSignatureError):
        check_evidence(KEYS, Evidence(first.encode(), forged.encode()))
    with pytest.raises(ValueError, match="a text, an empty line, and signatures"):
        check_evidence(KEYS, Evidence(first.encode(), second.encode() + b"junk"))


def test_what_may_both_be_true_is_no_evidence() -> None:
    tree, other = Tree(9), Tree(9, anew=[2])
    for smaller, larger, proof in (
        (tree.note(9), tree.note(9), ()),
        (tree.note(9), tree.note(9, "number 2"), ()),
        (tree.note(6), tree.note(9), tree.proof(6, 9)),
        (tree.note(6), tree.note(9), other.proof(6, 9)),  # leads nowhere
        (other.note(4), tree.note(9), tree.proof(4, 9)),
        (tree.note(0), other.note(9), ()),
        (tree.note(9), other.note(6), other.proof(6, 9)),  # the wrong way round
    ):
        with pytest.raises(IllegalError, match="both checkpoints may be true"):
            check_evidence(KEYS, Evidence(smaller.encode(), larger.encode(), proof))
    with pytest.raises(BrokenProofError, match="the proof is empty"):
        check_evidence(KEYS, Evidence(tree.note(6).encode(), other.note(9).encode()))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_nobody_makes_evidence_against_a_log_that_only_grew(data: st.DataObject) -> None:
    """Whatever hashes of that log, or of another, are put together as a proof."""
    tree, other = Tree(12), Tree(12, anew=[1, 6])
    old = data.draw(st.integers(1, 11))
    new = data.draw(st.integers(old + 1, 12))
    hashes = [*tree.nodes.values(), *other.nodes.values(), *(head.root() for head in tree.heads)]
    right = list(tree.proof(old, new))
    proof = [data.draw(st.sampled_from([item, *hashes])) for item in right]
    with pytest.raises(IllegalError, match="both checkpoints may be true"):
        check_evidence(KEYS, Evidence(tree.note(old).encode(), tree.note(new).encode(), tuple(proof)))
