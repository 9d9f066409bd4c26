// Faults in what limits API keys, and in how a person's rows are read for archives and receipts.
import { type Fault, faultsIn } from "./fault.ts"

const scopes = "test/access/key-scopes.test.ts"
const sites = "test/isolation/sites.test.ts"
const sitesOfKeys = "test/visitors/sites-of-keys.test.ts"
const reading = "test/erasure/reading.test.ts"

export const keys: ReadonlyArray<Fault> = [
  ...faultsIn(
    "server/src/access/key-rights.ts",
    scopes,
    [
      [
        "every key has every scope",
        'rights === undefined || rights.scopes.includes("all") || rights.scopes.includes(scope)',
        "rights === undefined || rights.scopes.length > 0",
      ],
    ],
    { named: "a key with .*alone may call" },
  ),
  ...faultsIn(
    "server/src/access/authentication.ts",
    scopes,
    [
      [
        "a file is written without the scope of what it is written into",
        "          yield* requireScopeBeside(key, group)\n",
        "",
      ],
      [
        "a stored response is repeated without the scope",
        "if (scope !== null) yield* requireScope(key, scope)",
        "",
      ],
    ],
    { named: "a file of suppression rules|gets no stored response" },
  ),
  ...faultsIn(
    "server/src/access/api-keys.ts",
    scopes,
    [
      [
        "a key works from everywhere",
        "if (networks !== undefined && !isWithin(clientAddress, networks)) {",
        "if (networks !== undefined && networks.length === 0) {",
      ],
    ],
    { named: "networks" },
  ),
  ...faultsIn(
    "server/src/platform/http/client-address.ts",
    "src/platform/http/client-address.test.ts",
    [["a network with a zone is larger than it says", '    !address.includes("%") &&\n', ""]],
  ),
  ...faultsIn(
    "server/src/access/key-rights.ts",
    sites,
    [
      [
        "a key for a site reads any person",
        'return yield* seen.person(organizationId, params["visitorId"] ?? "", pixelIds)',
        "return pixelIds.length > 0",
      ],
      [
        "a key for a site changes any site",
        'return pixelIds.includes(params["id"].toLowerCase())',
        "return pixelIds.length > 0",
      ],
      [
        "a key for a site can do what concerns the whole organization",
        "if (rule === undefined) return yield* notForSiteKeys",
        "if (rule === undefined) return true",
      ],
    ],
    { named: "learns nothing by" },
  ),
  ...faultsIn(
    "server/src/people/visitors/sites-store.ts",
    sites,
    [
      [
        "a key for a site reads a company that another site saw",
        "and place.domain = ${domain}\n            and place.pixel_id = any (${pixelIds}::uuid[])",
        "and place.domain = ${domain}\n            and ${pixelIds}::uuid[] <> '{}'",
      ],
    ],
    { named: "learns nothing by" },
  ),
  ...faultsIn(
    "server/src/access/repeats/repeats.ts",
    sites,
    [
      [
        "a key gets the stored secret of another",
        "const isOwn = isSecret || (rights !== undefined && rights.pixelIds !== null)",
        "const isOwn = isSecret && rights === undefined",
      ],
    ],
    { named: "get no stored response of another key" },
  ),
  ...faultsIn("server/src/access/store.ts", sitesOfKeys, [
    [
      "a key keeps the webhooks of a deleted site",
      "and pixel.id = any (api_key.pixel_ids) and pixel.deleted_at is null",
      "and pixel.id = any (api_key.pixel_ids)",
    ],
  ]),
  ...faultsIn("server/src/intent/visitor-topics/handlers.ts", sitesOfKeys, [
    [
      "a company's topics are those of people whom other sites saw",
      "store.ofCompany(organizationId, domain, sitesOfCaller(caller))",
      "store.ofCompany(organizationId, domain, undefined)",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/history/store.ts",
    sites,
    [
      [
        "a key reads what a webhook sent while it was for another site",
        "and pixel_id = any (${pixelIds}::uuid[])",
        "and ${pixelIds}::uuid[] <> '{}'",
      ],
    ],
    { named: "show nothing that was sent" },
  ),
  ...faultsIn("server/src/collect/inbound/records-store.ts", "test/erasure/archive.test.ts", [
    [
      "an archive has the addresses of others whom a vendor named",
      "array['address_hashes', 'body', 'key']",
      "array['body', 'key']",
    ],
  ]),
  ...faultsIn("server/src/people/erasure/archive-file.ts", reading, [
    [
      "an archive has the first page of each kind alone",
      "isRead = rows.length < pageRows",
      "isRead = rows.length > 0",
    ],
  ]),
  ...faultsIn("server/src/people/erasure/store.ts", reading, [
    [
      "counting a person's events reads those of everyone",
      "union all\n          ${eventRows(",
      "union all\n          ${eventRows(sql`t.session_id::text = '' `)} union all ${eventRows(",
    ],
  ]),
]
