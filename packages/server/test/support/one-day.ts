// Vitest set-up of every file of the server project: none begins shortly before midnight UTC, so that the today
// of its tests is still that of the server and of the database when they look.
import { setTimeout as sleep } from "node:timers/promises"

/** Longer than nearly every file takes on a busy machine. Units: milliseconds. */
const fileMs = 120_000
const dayMs = 86_400_000

const restOfDayMs = dayMs - (Date.now() % dayMs)
if (restOfDayMs < fileMs) await sleep(restOfDayMs)
