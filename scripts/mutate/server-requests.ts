// Faults in request handling: cursors, bounds, addresses, credentials, sign-in.
import { faultsIn } from "./fault.ts"

export const serverRequests = [
  ...faultsIn("server/src/platform/lists/cursor.ts", "src/platform/lists/cursor.test.ts", [
    [
      "a cursor is valid for one second too long",
      "cursor.exp <= secondsOf(",
      "cursor.exp < secondsOf(",
    ],
    ["a cursor opens in every scope", "options.isInScope(cursor) ? cursor", "cursor ? cursor"],
    [
      "the signature of a cursor is not checked",
      "if (!secrets.verify(purpose, payload, bytes))",
      "if (bytes.length === 0)",
    ],
    [
      "a flipped last bit of a signature passes",
      'return bytes.toString("base64url") === text ? bytes : undefined',
      "return bytes",
    ],
    [
      "text after a cursor is accepted",
      "bytes === undefined || rest.length > 0",
      "bytes === undefined",
    ],
  ]),
  ...faultsIn("server/src/platform/http/json-checks.ts", "src/platform/http/json-checks.test.ts", [
    ["one level of nesting too many passes", "++depth > depthMax", "++depth > depthMax + 1"],
    ["brackets in strings count", "if (inString) {", "if (inString && byte === quote) {"],
    [
      "an escaped quote ends a string",
      "if (byte === backslash) index++",
      "if (byte === backslash) index += 0",
    ],
    [
      "closing brackets do not count",
      "byte === closeBrace) depth--",
      "byte === closeBrace) depth -= 0",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/http/client-address.ts",
    "src/platform/http/client-address.test.ts",
    [
      [
        "any client can set its own address",
        "forwardedFor === undefined || !isWithin(peer, trustedProxies)",
        "forwardedFor === undefined",
      ],
      ["the left-most forwarded address counts", "hops.toReversed()", "hops"],
      [
        "an address of the other family matches a network",
        "network.kind() === address.kind() && address.match(network, bits)",
        "network.kind() !== address.kind() || address.match(network, bits)",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/http/rate-limit.ts", "src/platform/http/rate-limit.test.ts", [
    [
      "each address of an IPv6 customer has its own limit",
      "networkOf(address, 64)",
      "networkOf(address, 128)",
    ],
  ]),
  ...faultsIn("server/src/platform/secrets/secrets.ts", "src/platform/secrets/secrets.test.ts", [
    [
      "only the first value of FOOTFALL_SECRET verifies",
      "keysOf(purpose).some(",
      "keysOf(purpose).slice(0, 1).some(",
    ],
    [
      "a signature for one purpose is valid for another",
      "`footfall/${purpose}/v1`",
      "`footfall/v1`",
    ],
    [
      "a signature of another length is compared",
      "signature.length === 32 &&",
      "signature.length > 0 &&",
    ],
  ]),
  ...faultsIn("server/src/platform/http/fields.ts", "src/platform/http/fields.test.ts", [
    [
      "a text may be one character too long",
      "isMaxCodePoints(lengthMax,",
      "isMaxCodePoints(lengthMax + 1,",
    ],
    [
      "a text may be one character too short",
      "isMinCodePoints(lengthMin,",
      "isMinCodePoints(lengthMin - 1,",
    ],
    ["half characters count as characters", "isMaxCodePoints(lengthMax,", "isMaxLength(lengthMax,"],
  ]),
  ...faultsIn(
    "server/src/platform/http/allowed-methods.ts",
    "src/platform/http/allowed-methods.test.ts",
    [
      ["HEAD is not allowed along with GET", '? ["GET", "HEAD"] :', '? ["GET"] :'],
      [
        "an empty segment is a parameter",
        'segment !== undefined && segment !== "")',
        "segment !== undefined)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/platform/lists/keyed-lists.ts",
    "test/http/written-lists.test.ts",
    [
      [
        "an exactly full last page says that there is more",
        "read.length <= limit",
        "read.length < limit",
      ],
      ["a page has one row too many", "read.slice(0, limit)", "read.slice(0, limit + 1)"],
    ],
    { named: "exactly full" },
  ),
  ...faultsIn(
    "server/src/platform/http/store.ts",
    "test/http/rate-limit.test.ts",
    [
      [
        "a limit lets one request more through",
        "else least(present.used + 1, ${limit + 1}::int)",
        "else least(present.used + 1, ${limit}::int)",
      ],
    ],
    { named: "the 60th is accepted" },
  ),
  ...faultsIn(
    "server/src/platform/http/store.ts",
    "test/access/rate-limits.test.ts",
    [
      [
        "a refunded request still counts",
        "least(used, ${limit}::int) - 1",
        "least(used, ${limit}::int)",
      ],
    ],
    { named: "is not used up by 401" },
  ),
  ...faultsIn("server/src/access/api-key.ts", "src/access/api-key.test.ts", [
    [
      "a key with a wrong checksum causes a query",
      "checksum(text.slice(3, 40)) === text.slice(40)",
      "text.length > 0",
    ],
  ]),
  ...faultsIn("server/src/access/password.ts", "src/access/password.test.ts", [
    [
      "a password may be one character too short",
      "length >= passwordLengthMin &&",
      "length >= passwordLengthMin - 1 &&",
    ],
    [
      "a password may be one character too long",
      "length <= passwordLengthMax\n",
      "length <= passwordLengthMax + 1\n",
    ],
    [
      "unknown users cost no password hash",
      'const [, N, r, p, salt = "", hash = ""] =',
      'if (stored === null) return false\n  const [, N, r, p, salt = "", hash = ""] =',
    ],
    ["two spellings of one password differ", '.normalize("NFKC")', ""],
  ]),
  ...faultsIn("server/src/access/organization.ts", "src/access/organization.test.ts", [
    [
      "an expired organization stays active",
      'status === "active" || status === "trial"',
      'status !== "suspended"',
    ],
    ["any status may become any other", 'mayUse(from) || to === "active"', "true"],
  ]),
  ...faultsIn(
    "server/src/access/role.ts",
    "test/access/roles.test.ts",
    [
      [
        "a role has the rights of the next higher one",
        "rank[role] >= rank[required]",
        "rank[role] >= rank[required] - 1",
      ],
    ],
    { named: "segments.*every pair" },
  ),
  ...faultsIn(
    "server/src/access/sign-in/refresh-token.ts",
    "src/access/sign-in/refresh-token.test.ts",
    [["a refresh token may be followed by anything", "{64}$/", "{64}/"]],
  ),
  ...faultsIn(
    "server/src/access/sign-in/sign-in.ts",
    "test/access/sign-in.test.ts",
    [
      [
        "a refresh token can be used twice",
        "!chain.isValid || !isExchangeable(chain, options.refreshToken)",
        "!chain.isValid",
      ],
      [
        "an expired refresh token is accepted",
        "!chain.isValid || !isExchangeable",
        "!isExchangeable",
      ],
      [
        "a used refresh token does not end its chain",
        "yield* store.endChains(userId, chainId)\n",
        "",
      ],
    ],
    { named: "used twice|expired, unknown|unknown, used or expired|admits one" },
  ),
  ...faultsIn(
    "server/src/access/sign-in/sign-in.ts",
    "test/access/invitations.test.ts",
    [
      [
        "whoever adds a member sets the password of an account that is in use",
        "passwordHash !== null || isProven || isMember",
        "passwordHash !== null",
      ],
      [
        "the token in a response takes over an account",
        'return proves && !isProven ? "takes over"',
        'return !isProven ? "takes over"',
      ],
      [
        "a mailed invitation opens an account whose holder proved the address",
        'return proves && !isProven ? "takes over"',
        'return proves ? "takes over"',
      ],
    ],
    { named: "with another password|proves nothing|without a password" },
  ),
  ...faultsIn(
    "server/src/access/members/store.ts",
    "test/access/invitations.test.ts",
    [
      [
        "a pending member has rights",
        "          and member.accepted_at is not null\n          ${key.organizationId === undefined",
        "          ${key.organizationId === undefined",
      ],
      [
        "the previous account holder keeps the access token",
        "token_generation = token_generation + 1, proven_at",
        "proven_at",
      ],
    ],
    { named: "gets no access to an organization|is taken over" },
  ),
  ...faultsIn(
    "server/src/access/sign-in/store.ts",
    "test/access/sign-in.test.ts",
    [
      [
        "two requests with one refresh token both succeed",
        'sql.literal("for update of refresh_chain")',
        'sql.literal("")',
      ],
      [
        "signing out ends someone else's sessions",
        "where user_id = ${userId} ${chainId === undefined",
        "where true ${chainId === undefined",
      ],
      [
        "an invitation never expires",
        "where (digest = ${digest} or mail_digest = ${digest}) and expires_at > now()\n",
        "where (digest = ${digest} or mail_digest = ${digest})\n",
      ],
    ],
    { named: "passes at most once|another user|unknown, used or expired|is valid for 7 days" },
  ),
  ...faultsIn(
    "server/src/access/store.ts",
    "test/access/api-keys.test.ts",
    [
      [
        "a revoked key still works",
        "revoked_at is null and (expires_at is null or expires_at > now())",
        "(expires_at is null or expires_at > now())",
      ],
      [
        "an expired key still works",
        "revoked_at is null and (expires_at is null or expires_at > now())",
        "revoked_at is null",
      ],
    ],
    { named: "key is rejected within 5 seconds" },
  ),
  ...faultsIn(
    "server/src/access/store.ts",
    "test/isolation/matrix.test.ts",
    [
      [
        "a key of another organization can be revoked",
        "where organization_id = ${organizationId} and id = ${apiKeyId} and revoked_at is null",
        "where id = ${apiKeyId} and revoked_at is null",
      ],
    ],
    { named: "[Kk]ey" },
  ),
  ...faultsIn("server/src/access/authentication.ts", "test/access/organization-status.test.ts", [
    ["a suspended organization still works", "        yield* refuseInactive(caller)\n", ""],
  ]),
  ...faultsIn(
    "server/src/access/authentication.ts",
    "test/access/roles.test.ts",
    [
      [
        "no role is required anywhere",
        "required !== undefined && !isAtLeast(role, required)",
        "false",
      ],
    ],
    { named: "segments.*every pair" },
  ),
  ...faultsIn("server/src/access/repeats/repeats.ts", "test/access/repeats.test.ts", [
    [
      "an idempotency key answers a different request",
      "if (!timingSafeEqual(requestHash, earlier.value.requestHash)) return yield* otherRequest",
      "",
    ],
    [
      "two requests with one key run at the same time",
      "if (!(yield* store.lock(request))) return yield* stillRunning",
      "",
    ],
    [
      "a repeated request creates other link tokens",
      "if (kept?.seed !== undefined) return kept.seed",
      "",
    ],
    ["1,000 link tokens are stored", "if (kept !== undefined) kept.seed = seed", ""],
  ]),
  ...faultsIn("server/src/people/person/link-tokens/handlers.ts", "test/access/repeats.test.ts", [
    ["people in one request share a nonce", "`${random} ${place}`", "random"],
  ]),
]
