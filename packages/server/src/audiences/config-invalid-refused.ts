// The answer to a configuration whose bounds do not fit together, the same wherever one is sent.
import { refuse } from "../http/errors.ts"
import type { ConfigInvalid } from "./configs.ts"

export const configInvalidRefused = ({ issues }: ConfigInvalid) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: issues[0]!.message, // There is one at least.
    details: { issues: [...issues] },
  })
