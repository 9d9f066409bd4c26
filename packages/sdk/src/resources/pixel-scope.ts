// Limits a question to one pixel, named by its id or by its domain, never by both.
// Source: spec 5.1.1 (combining the two is invalid).

/** One pixel, or all of the organization's when neither member is given. */
export type PixelScope =
  | {
      /** Id of the pixel, a uuid. An unknown one is a NotFoundError. */
      readonly pixelId?: string | undefined
      readonly domain?: undefined
    }
  | {
      readonly pixelId?: undefined
      /** Domain of the pixel. An unknown one gives an empty list with `meta.scope.pixels` 0. */
      readonly domain?: string | undefined
    }
