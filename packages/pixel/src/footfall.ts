/**
 * The Footfall browser script. It counts page views, takes commands, and sends events to the server it was loaded from.
 * It never throws into the page and stores one first-party id (spec 6).
 *
 * Contract with the server: the built file contains `__FOOTFALL_SETTINGS__` exactly once, as a value. The server
 * replaces it with a JSON object, `{"id": "<pixel id>", …}` with the settings of spec 2.4, and serves the result as
 * `…/p/<pixel id>.js`.
 */
import "./start.ts"
