// The normal forms of addresses, domains and suppression rules. One source, built into the SDK, the
// CLI and the server, so that what a client checks is what the server stores. Pure, without state, and
// without anything of Node.
export { normalizeDomain } from "./domain.ts"
export { registrableDomain } from "./registrable-domain.ts"
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
