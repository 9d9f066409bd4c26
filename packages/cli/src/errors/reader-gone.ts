// The reader left the pager before the end. Nothing went wrong: the command stops and ends with 0.

/** Thrown through a command to stop it. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone"
}
