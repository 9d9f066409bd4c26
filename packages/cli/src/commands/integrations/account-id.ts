// Connected accounts on the command line.

import { uuid } from "../uuid.ts"

/** A parser of the ids of accounts. Errors: InvalidArgumentError. */
export const accountId = uuid("a connected account", "footfall integrations accounts list")
