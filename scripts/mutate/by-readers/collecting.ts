// Faults in what is collected: visits, sources, pixels. Planted by a reader who had not written these rooms.
import { faultsIn } from "../fault.ts"

export const collecting = [
  ...faultsIn("server/src/collect/visits/collect.ts", "test/visits/collect.test.ts", [
    ["a commit that failed once is not tried again", "Effect.retry(commitRetries),", ""],
  ]),
  ...faultsIn(
    "server/src/collect/visits/collect-request.ts",
    "src/collect/visits/collect-request.test.ts",
    [
      [
        "events of a suspended organization are collected",
        'row.status === "active" && mayUse(row.organizationStatus)',
        'row.status === "active"',
      ],
      [
        "a visitor may name their own country",
        "const isProxied = peer !== undefined && isWithin(peer, trustedProxies)",
        "const isProxied = peer !== undefined && trustedProxies.length > 0",
      ],
    ],
  ),
  ...faultsIn("server/src/collect/visits/read-events.ts", "src/collect/visits/addresses.test.ts", [
    [
      "the offset of a browser's clock is applied in the wrong direction",
      "time + receivedAt - sentAt",
      "time + sentAt - receivedAt",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/read-events.ts", "test/visits/collect.test.ts", [
    [
      "the script's attribution is lost with a dropped first event",
      "isFirst: events.length === 0",
      "isFirst: event === batch.events[0]",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/read-events.ts", "test/visits/dropped.test.ts", [
    [
      "a captured address is kept although the pixel turned capture off",
      'if (event.type === "capture" && pixel.settings.emailCapture === "off") return "consent"',
      "",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/store.ts", "test/visits/collect.test.ts", [
    [
      "one batch above the rate takes all batches of its commit along",
      "c.used - a.batches + s.place <=",
      "c.used <=",
    ],
    [
      "the window of an address that keeps sending never ends",
      "else present.window_ends_at\n",
      "else excluded.window_ends_at\n",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/link-token.ts", "src/collect/visits/link-token.test.ts", [
    [
      "link tokens made before the secret was replaced identify no one",
      "if (content === undefined) continue",
      "if (content === undefined) return undefined",
    ],
  ]),
  ...faultsIn(
    "server/src/collect/visits/attribution.ts",
    "src/collect/visits/attribution.test.ts",
    [
      [
        "a click id that is too long is stored cut off",
        "cleanText(query.get(name), clickIdLengthMax + 1)",
        "cleanText(query.get(name), clickIdLengthMax)",
      ],
      [
        "a secret under a name in capitals is stored",
        "!secretKeys.has(key.toLowerCase())",
        "!secretKeys.has(key)",
      ],
    ],
  ),
  ...faultsIn("server/src/collect/visits/page-url.ts", "src/collect/visits/addresses.test.ts", [
    ["an address is cut inside an escape", '.replace(/%[\\dA-Fa-f]?$/, "")', ""],
  ]),
  ...faultsIn("server/src/collect/visits/channel.ts", "src/collect/visits/channel.test.ts", [
    [
      "a Google click id makes a social source a paid search",
      'click === "search_ad" && isSearch(source)',
      'click === "search_ad"',
    ],
  ]),
  ...faultsIn(
    "server/src/collect/visits/ignored-referrers.ts",
    "test/identification/returns.test.ts",
    [
      [
        "a subdomain of a host that a pixel ignores is a referrer",
        "ofPixel?.includes(name)",
        "ofPixel?.includes(host)",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/http/address.ts", "src/collect/visits/privacy.test.ts", [
    ["more of an IPv6 address is stored than its /48", '"ipv4" ? 24 : 48', '"ipv4" ? 24 : 64'],
  ]),
  ...faultsIn("server/src/collect/sources/event.ts", "test/sources/tracking.test.ts", [
    [
      "the times of an import are corrected by the sender's clock",
      "isImport || sentAt === undefined ? 0",
      "sentAt === undefined ? 0",
    ],
    [
      "the campaign of the context replaces that of the address",
      "value !== undefined && !query.has(name)",
      "value !== undefined",
    ],
    [
      "a user id that is the address in capitals is kept as an id",
      "userId.toLowerCase() === email",
      "userId === email",
    ],
  ]),
  ...faultsIn("server/src/collect/sources/message.ts", "test/sources/tracking.test.ts", [
    [
      "the time at which a batch was sent corrects none of its messages",
      'readMoment(value["sentAt"]) ?? readMoment(shared["sentAt"])',
      'readMoment(value["sentAt"])',
    ],
  ]),
  ...faultsIn("server/src/collect/sources/request.ts", "test/sources/attacks.test.ts", [
    [
      "a server key in the body has no limit of its own",
      'if (holder.kind === "server") yield* count(subjectOf(holder, request))',
      "",
    ],
    [
      "a browser key in the body may send as much as a server key",
      "if (body.bytes > bytes) return",
      "if (body.bytes > bytesMax) return",
    ],
    [
      "a batch counts as one message",
      "bucket, weight: events.length, party",
      "bucket, weight: 1, party",
    ],
  ]),
  ...faultsIn("server/src/collect/sources/routes.ts", "test/sources/tracking.test.ts", [
    [
      "the settings of a browser client are given out for a server key",
      ' || holder.value.kind !== "browser"',
      "",
    ],
  ]),
  ...faultsIn("server/src/collect/sources/traits.ts", "src/collect/sources/traits.test.ts", [
    [
      "a person's own id is lost behind twenty other traits",
      "[...ownId, ...given, ...rest]",
      "[...given, ...rest, ...ownId]",
    ],
  ]),
  ...faultsIn(
    "server/src/collect/pixels/pixel-changes.ts",
    "src/collect/pixels/pixel-changes.test.ts",
    [
      [
        "an empty list of paths excludes the other list",
        "return sent === null || sent.length === 0 ? null : sent",
        "return sent",
      ],
    ],
  ),
  ...faultsIn("server/src/collect/pixels/write-keys/store.ts", "test/pixels/write-keys.test.ts", [
    [
      "revoking a key again extends its grace period",
      "expires_at = least(expires_at, now() + make_interval(hours => ${graceHours}::int))",
      "expires_at = now() + make_interval(hours => ${graceHours}::int)",
    ],
  ]),
  ...faultsIn(
    "server/src/collect/pixels/write-keys/write-keys.ts",
    "test/pixels/write-keys.test.ts",
    [["a pixel has one write key too many", ")) >= writeKeysMax) {", ")) > writeKeysMax) {"]],
  ),
  ...faultsIn(
    "server/src/collect/pixels/opt-out/opt-out.ts",
    "src/collect/pixels/opt-out/opt-out.test.ts",
    [["a cookie whose name only ends alike counts as an opt-out", "(?:^|;)", ""]],
  ),
  ...faultsIn("server/src/collect/pixels/pixel-changes.ts", "test/pixels/pixels.test.ts", [
    [
      "a deleted pixel collects for some seconds",
      "yield* store.transaction(remove(author, pixelId))\n      yield* pixels.forget(pixelId)",
      "yield* store.transaction(remove(author, pixelId))",
    ],
    [
      "a paused pixel collects for some seconds",
      "      const pixel = yield* store.transaction(update(author, pixelId, change))\n      yield* pixels.forget(pixelId)\n",
      "      const pixel = yield* store.transaction(update(author, pixelId, change))\n",
    ],
  ]),
  ...faultsIn(
    "server/src/collect/pixels/write-keys/store.ts",
    "test/sources/tracking.test.ts",
    [
      [
        "a replaced write key is refused during its grace period",
        "where digest = ${digest} and ${works}",
        "where digest = ${digest} and revoked_at is null",
      ],
      [
        "a replaced write key is accepted after its grace period",
        "where digest = ${digest} and ${works}",
        "where digest = ${digest}",
      ],
    ],
    { named: "a replaced .* key that was not used lately" },
  ),
  ...faultsIn("server/src/collect/visits/email-address.ts", "src/collect/visits/batch.test.ts", [
    [
      "the hash of an empty text identifies someone",
      " && !emailHashesOfNothing.has(digest) ? digest",
      " ? digest",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/traits.ts", "src/collect/visits/addresses.test.ts", [
    ["a phone number may have 16 digits", "/^\\+[1-9]\\d{6,14}$/", "/^\\+[1-9]\\d{6,15}$/"],
  ]),
  ...faultsIn("server/src/collect/visits/referrer-kind.ts", "src/collect/visits/channel.test.ts", [
    [
      "a page below a listed page is not of its kind",
      'kinds.get(host + place) ?? kinds.get(host + place.replace(/\\/[^/]*$/, ""))',
      "kinds.get(host + place)",
    ],
  ]),
]
