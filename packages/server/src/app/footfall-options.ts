// Checks the options of createFootfall that have no environment variable, and rejects unknown names. config.ts checks
// the others by the rules of their variables.
import { basePathExpected, isBasePath } from "./config/values.ts"

/** Thrown for an invalid option: names it, what was expected and what was received. */
export class OptionInvalid extends TypeError {
  override readonly name = "OptionInvalid"
}

interface Check {
  readonly expected: string
  readonly isMet: (value: unknown) => boolean
}

const boolean: Check = {
  expected: "true or false",
  isMet: (value) => typeof value === "boolean",
}
const callable: Check = {
  expected: "a function",
  isMet: (value) => typeof value === "function",
}
/** Its value is checked with the configuration. */
const configured: Check = { expected: "", isMet: () => true }

const checks: ReadonlyMap<string, Check> = new Map([
  [
    "basePath",
    {
      expected: basePathExpected,
      isMet: (value) => typeof value === "string" && isBasePath(value),
    },
  ],
  ["workers", boolean],
  ["migrate", boolean],
  ["logger", callable],
  ["clientAddress", callable],
  [
    "resolvers",
    {
      expected: "an array of objects with a resolve function",
      isMet: (value) =>
        Array.isArray(value) && value.every((each) => typeof each?.resolve === "function"),
    },
  ],
  ...[
    "allowPrivateWebhooks",
    "baseUrl",
    "clickhouseCluster",
    "clickhouseUrl",
    "console",
    "databaseReadMaxLag",
    "databaseReadUrl",
    "databaseUrl",
    "databaseWaitSeconds",
    "dataDir",
    "eventArchiveDays",
    "geoCountryHeader",
    "gpcMode",
    "host",
    "identificationLanes",
    "inboundPerMinute",
    "inboundSpoolMb",
    "ipCompanyExcludeFile",
    "ipCompanyFile",
    "mailerBaseUrl",
    "mcpWrites",
    "pixelBaseUrl",
    "port",
    "rateLimits",
    "secret",
    "securityContact",
    "servicePace",
    "signalStore",
    "smtpUrl",
    "storeIp",
    "syncCycleSeconds",
    "organizationsPerUser",
    "trustedProxies",
    "webhookLogDays",
    "webhookPayloadDays",
  ].map((name) => [name, configured] as const),
])

/** An undefined option counts as absent. Throws OptionInvalid. */
export const checkOptions = (options: object): void => {
  for (const [name, value] of Object.entries(options)) {
    const check = checks.get(name)
    if (check === undefined) {
      throw new OptionInvalid(
        `Unknown option "${name}". Expected one of: ${[...checks.keys()].toSorted().join(", ")}.`,
      )
    }
    if (value !== undefined && !check.isMet(value)) {
      throw new OptionInvalid(`${name}: expected ${check.expected}, received ${shown(value)}.`)
    }
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : value === null ? "null" : typeof value
