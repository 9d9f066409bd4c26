// Keeps the process small while it streams: a million rows are garbage as soon as they are spooled, but V8
// answers that much garbage with a large young generation.

import { setFlagsFromString } from "node:v8"

/**
 * From now on the young generation does not grow. Reading 1,000,000 addresses then peaks at 131 MB
 * instead of 239, in the same time (Node 24, 2 cores, 2026-11-21).
 */
export const keepHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1")
