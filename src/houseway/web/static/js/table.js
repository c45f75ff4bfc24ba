// A table's page: what it is depends on who opens it.

import { boot } from "./page.js";

const modes = { player: "./player.js", dealer: "./dealer.js", staff: "./staff.js", watch: "./staff.js" };
await import(modes[boot.mode]);
