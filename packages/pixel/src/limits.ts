/** The script's limits, times and names. They're in a file without imports, so that the bundler inlines each one. */

/** Source: spec 6.3. */
export const EVENTS_PER_BATCH_MAX = 20
/** In UTF-16 units. A full batch plus one more event stays under the server's limit of 64 KiB. */
export const BATCH_LENGTH_FULL = 8000
export const BATCH_WAIT_MS = 5000
/** In UTF-16 units. */
export const UNDELIVERED_LENGTH_MAX = 65_536
/** The server rejects older events. */
export const COPY_LIFETIME_MS = 86_400_000
/** Digits of a time in milliseconds, until the year 2286. */
export const MOMENT_DIGITS = 13
/** One hour. A timer of more than 24 days would fire immediately. */
export const PAUSE_SECONDS_MAX = 3600

/** Name under which this browser stores the id. */
export const ID = "footfall_id"
export const CHOICE = "footfall_choice"

/** 13 months, for the id and the opt-out. Source: spec 6.6. */
export const ID_SECONDS = 395 * 86_400
/** 180 days. */
export const CONSENT_SECONDS = 180 * 86_400
/** How often to poll the page's consent tools. */
export const SIGNAL_POLL_MS = 500

/** Source: spec 6.3. */
export const ADDRESS_LENGTH_MAX = 2048
export const TEXT_LENGTH_MAX = 255
/** For tracked event names and `props` keys. */
export const NAME_LENGTH_MAX = 64
export const KEYS_MAX = 20

/** Frameworks set the title right after they navigate. Source: spec 6.2. */
export const TITLE_DELAY_MS = 50

/** Source: spec 6.3. */
export const HEARTBEAT_SECONDS = 30
export const HEARTBEAT_STEPS = 6
