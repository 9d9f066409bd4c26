/** Constants that the build writes in: whether this file has a part. See `features.ts`. */
declare const HAS_CAPTURE: boolean
declare const HAS_CONSENT: boolean
declare const HAS_HASH: boolean
declare const HAS_PATHS: boolean
