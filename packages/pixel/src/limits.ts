/**
 * The bounds, times and names of the script. In a file without imports, because then the bundler writes
 * each where it is used.
 */

/** Source: spec 6.3. */
export const EVENTS_PER_BATCH_MAX = 20
/** In UTF-16 units. A full batch and one more event stay below the 64 KiB the server takes. */
export const BATCH_LENGTH_FULL = 8000
export const BATCH_WAIT_MS = 5000
/** Units as above. */
export const UNDELIVERED_LENGTH_MAX = 65_536
/** The server takes no event that is older. */
export const COPY_LIFETIME_MS = 86_400_000
/** Of a moment in milliseconds, until the year 2286. */
export const MOMENT_DIGITS = 13
/** An hour. A wait of more than 24 days would make a timer ring at once. */
export const PAUSE_SECONDS_MAX = 3600

/** What is kept in this browser. */
export const ID = "footfall_id"
export const CHOICE = "footfall_choice"

/** 13 months: the id, and the opt-out. Source: spec 6.6. */
export const ID_SECONDS = 395 * 86_400
/** 180 days. */
export const CONSENT_SECONDS = 180 * 86_400
/** How often the consent tools of the page are asked. */
export const SIGNAL_LOOK_MS = 500

/** Source: spec 6.3. */
export const ADDRESS_LENGTH_MAX = 2048
export const TEXT_LENGTH_MAX = 255
/** Names of tracked events, and keys of `props`. */
export const NAME_LENGTH_MAX = 64
export const KEYS_MAX = 20

/** Frameworks set the title just after they navigate. Source: spec 6.2. */
export const TITLE_DELAY_MS = 50

/** Source: spec 6.3. */
export const HEARTBEAT_SECONDS = 30
export const HEARTBEAT_STEPS = 6
