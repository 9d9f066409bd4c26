// The time limit of requests that may take longer than others: a count over millions of people, a batch of an import, a
// write of suppression rules that waits for other writers of the same list.

export const SLOW_TIMEOUT_MS = 120_000
