// Normal forms of addresses, domains and suppression rules. The SDK, the CLI and the server all include this code, so
// clients check exactly what the server stores. Pure, stateless, and without Node APIs.
export { normalizeDomain } from "./domain.ts"
export { registrableDomain } from "./domain.ts"
export { normalizeEmail } from "./email.ts"
export { hiddenCharacter } from "./hidden-character.ts"
export {
  type NormalRule,
  normalizeRule,
  rejectionMessage,
  type RuleRejection,
  type RuleType,
  ruleRejections,
  ruleTypes,
} from "./suppression-rule.ts"
