/**
 * The Footfall browser script: counts page views, takes commands, sends events to the server it
 * came from. Never throws into the page; stores one first-party id (spec 6).
 *
 * Contract with the server: the built file names `__FOOTFALL_SETTINGS__` exactly once, as a value.
 * The server replaces that word by a JSON object, `{"id": "<pixel id>", …}` with the settings of
 * spec 2.4, and serves the result as `…/p/<pixel id>.js`.
 */
import "./start.ts"
