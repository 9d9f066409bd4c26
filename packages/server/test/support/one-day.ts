// Vitest set-up of every file of the server project: none starts shortly before midnight UTC, so that "today" is the
// same for the tests, the server and the database.
import { setTimeout as sleep } from "node:timers/promises"

/** Longer than nearly every file takes on a busy machine. Units: milliseconds. */
const fileMs = 120_000
const dayMs = 86_400_000

const restOfDayMs = dayMs - (Date.now() % dayMs)
if (restOfDayMs < fileMs) await sleep(restOfDayMs)
