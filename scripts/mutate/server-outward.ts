// Faults in outgoing traffic: which hosts the server may contact, what it signs, how webhooks and deliveries end, and
// people who must not be found again.
import { faultsIn } from "./fault.ts"

export const serverOutward = [
  ...faultsIn(
    "server/src/platform/outbound/public-address.ts",
    "test/outbound/outbound-url.test.ts",
    [
      [
        "connections to private addresses are allowed",
        'if (judged.range() !== "unicast") return false',
        "",
      ],
      [
        "connections to Azure's wire server are allowed",
        "!metadata.some((network) => judged.match(network))",
        "true",
      ],
      [
        "connections to a private address inside NAT64 are allowed",
        "const judged = carriedBy(address)",
        "const judged = address",
      ],
      [
        "octal notation is read as decimal",
        "ipaddr.IPv4.isValidFourPartDecimal(text) ||",
        "ipaddr.IPv4.isValid(text) ||",
      ],
      ["connections outside global unicast are allowed", ": judged.match(globalUnicast)", ": true"],
    ],
  ),
  ...faultsIn(
    "server/src/platform/outbound/outbound-url.ts",
    "test/outbound/outbound-url.test.ts",
    [
      [
        "a URL with credentials is accepted",
        'url.username !== "" || url.password !== ""',
        'url.username !== ""',
      ],
      [
        "a webhook with http: is accepted",
        'url.protocol !== "https:" && !isPlain',
        'url.protocol !== "https:" && url.protocol !== "http:"',
      ],
      [
        "a literal private address can be stored",
        "literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)",
        'literal === undefined && !isPrivateAllowed && !isPublicAddress(url.hostname) && url.hostname === ""',
      ],
      [
        "an address may be one character too long",
        "[...text].length > urlLengthMax)",
        "[...text].length > urlLengthMax + 1)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/platform/outbound/vetted-addresses.ts",
    "test/outbound/guard.test.ts",
    [
      [
        "one public address of a name allows its private ones",
        "!addresses.every(({ address })",
        "!addresses.some(({ address })",
      ],
    ],
    {
      named: "with one rejected address|with several addresses|one of them private",
    },
  ),
  ...faultsIn("server/src/platform/outbound/connector.ts", "test/outbound/guard.test.ts", [
    [
      "a connection to an address other than the checked one is used",
      "if (addresses.some(({ address }) => isSameAddress(address, remoteAddress))) {",
      "if (addresses.length > 0) {",
    ],
    ["an environment variable turns off certificate checks", "    rejectUnauthorized: true,\n", ""],
    ["a name is resolved again for the connection", "lookup: pinned(addresses),", ""],
  ]),
  ...faultsIn("server/src/platform/outbound/signing.ts", "test/outbound/signing.test.ts", [
    [
      "the id of a webhook is not signed",
      "signature(keyOf(secret), `${id}.${second}.`, body)",
      "signature(keyOf(secret), `${second}.`, body)",
    ],
    [
      "only the new secret signs during a rotation",
      '    headers["webhook-signature"] = secrets\n',
      '    headers["webhook-signature"] = secrets\n      .slice(0, 1)\n',
    ],
    [
      "two contacts of a delivery have one message id",
      "`${deliveryId}.${event}.${hashedEmail}`",
      "`${deliveryId}.${event}`",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/outbound/retry-after.ts",
    "src/platform/outbound/retry-after.test.ts",
    [
      [
        "a receiver may ask for a wait of a year",
        "Math.min(retryAfterSecondsMax, Math.max(0, seconds))",
        "Math.max(0, seconds)",
      ],
      [
        "a date in the past causes a negative wait",
        "Math.min(retryAfterSecondsMax, Math.max(0, seconds))",
        "Math.min(retryAfterSecondsMax, seconds)",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/outbound/payload.ts", "src/platform/outbound/payload.test.ts", [
    [
      "a body may exceed the limit by one byte",
      "Buffer.byteLength(body) < payloadBytesMax",
      "Buffer.byteLength(body) <= payloadBytesMax",
    ],
    [
      "multi-byte characters count as one byte",
      "letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4",
      "1",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/sending/settlement-store.ts",
    "test/webhooks/sending.test.ts",
    [
      [
        "the outcome of a lost webhook claim counts",
        "and d.id = outcome.id and d.claim = outcome.claim",
        "and d.id = told.id",
      ],
    ],
    { named: "the outcome of an expired claim" },
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sql/queue.ts",
    "test/deliveries/transitions.test.ts",
    [
      [
        "deliveries of a suspended organization continue",
        "      and organization.status in ('active', 'trial')\n",
        "",
      ],
    ],
    { named: "suspended" },
  ),
  ...faultsIn(
    "server/src/people/person/tombstones/tombstones.ts",
    "test/erasure/tombstones.test.ts",
    [
      [
        "an erased person returns after the secret is replaced",
        "rowsOf(address, keys) }))",
        "rowsOf(address, keys.slice(0, 1)) }))",
      ],
      [
        "a tombstone of one organization applies to all",
        "`${address.organizationId} ${address.emailHash}`",
        "`${address.emailHash}`",
      ],
    ],
  ),
  ...faultsIn("server/src/app/config/secret-file.ts", "src/app/config/config.test.ts", [
    ["a secret may be one character too short", "secretLengthMin = 32", "secretLengthMin = 31"],
  ]),
  ...faultsIn("server/src/app/config/config.ts", "src/app/config/config.test.ts", [
    ["limits are off by default", 'read("RATE_LIMITS", "on"', 'read("RATE_LIMITS", "off"'],
    [
      "private webhooks are allowed by default",
      '"ALLOW_PRIVATE_WEBHOOKS",\n      "off"',
      '"ALLOW_PRIVATE_WEBHOOKS",\n      "on"',
    ],
  ]),
  ...faultsIn("server/src/intent/runs/exports/links.ts", "src/intent/runs/exports/links.test.ts", [
    [
      "several spellings of one signature are accepted",
      'bytes.toString("base64url") === signature && ',
      "",
    ],
  ]),
  ...faultsIn(
    "server/src/people/identification/resolving/ip-companies.ts",
    "src/people/identification/resolving/ip-companies.test.ts",
    [
      [
        "of networks that begin at the same address, the larger one counts",
        "a.prefix - b.prefix",
        "b.prefix - a.prefix",
      ],
    ],
  ),
]
