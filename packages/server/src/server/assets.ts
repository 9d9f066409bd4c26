// Where the files are that the build puts beside the code.

/** Files the build puts beside the code: the pixel script and the demo page. */
export interface Assets {
  /** Directory, absolute. */
  readonly directory: string
}
