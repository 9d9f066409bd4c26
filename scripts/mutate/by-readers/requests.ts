// Faults in requests and in who may send them: access, HTTP, lists, database, agents, commands. Planted by a reader who
// had not written these rooms.
import { faultsIn } from "../fault.ts"

export const requests = [
  ...faultsIn("server/src/access/repeats/repeats.ts", "test/access/repeats.test.ts", [
    [
      "the repeat of a creation is answered with 200",
      "replay(yield* success(data), status)",
      "replay(yield* success(data))",
    ],
  ]),
  ...faultsIn("server/src/access/repeats/store.ts", "test/access/repeats.test.ts", [
    [
      "a key that is used again after a day no longer detects repeats",
      "answer = excluded.answer,\n        created_at = excluded.created_at`)",
      "answer = excluded.answer`)",
    ],
  ]),
  ...faultsIn("server/src/access/sign-in/device/store.ts", "test/access/device-login.test.ts", [
    [
      "an expired sign-in of a terminal can be approved",
      "where user_digest = ${decision.userDigest} and state = 'pending' and expires_at > now()",
      "where user_digest = ${decision.userDigest} and state = 'pending'",
    ],
  ]),
  ...faultsIn(
    "server/src/access/sign-in/device/device-logins.ts",
    "test/access/device-login.test.ts",
    [
      [
        "a code in small letters is unknown",
        "userCode.toUpperCase().replaceAll",
        "userCode.replaceAll",
      ],
    ],
  ),
  ...faultsIn("server/src/access/sign-in/passwords/passwords.ts", "test/access/passwords.test.ts", [
    [
      "a reset password is not asked for at known addresses again",
      "        yield* store.forgetAddresses(userId)\n",
      "",
    ],
    [
      "an account that never had a password gets one by a reset",
      "if (account === undefined || account.passwordHash === null) return",
      "if (account === undefined) return",
    ],
  ]),
  ...faultsIn("server/src/access/members/store.ts", "test/access/invitations.test.ts", [
    [
      "the last owner leaves once another one is invited",
      "and user_id <> ${userId}\n          and accepted_at is not null",
      "and user_id <> ${userId}",
    ],
    [
      "a terminal keeps its approved sign-in to an account that was taken over",
      "      yield* sql`delete from device_login where user_id = ${userId}`\n",
      "",
    ],
  ]),
  ...faultsIn("server/src/access/members/members.ts", "test/access/members.test.ts", [
    [
      "an admin may remove an owner",
      '(isOwner || becomes === "owner") && changer !== "owner"',
      'becomes === "owner" && changer !== "owner"',
    ],
  ]),
  ...faultsIn("server/src/access/sign-in/auth-cookie.ts", "test/access/console-session.test.ts", [
    [
      "a page on another subdomain may use the console's session",
      '["same-origin", "none", undefined]',
      '["same-origin", "same-site", "none", undefined]',
    ],
  ]),
  ...faultsIn("server/src/access/authentication.ts", "test/access/api-key-routes.test.ts", [
    [
      "a valid key hides an invalid token",
      'if (request.headers["authorization"] !== undefined) return yield* refused\n            const caller',
      "const caller",
    ],
  ]),
  ...faultsIn("server/src/access/authentication.ts", "test/access/external-issuer.test.ts", [
    [
      "a token of another issuer counts as the console's",
      "(read) => read.isConsole || !isConsole,",
      "() => true,",
    ],
  ]),
  ...faultsIn("server/src/access/api-keys.ts", "test/access/api-keys.test.ts", [
    [
      "a key is accepted for seconds after it has expired",
      "Math.min(rememberedSeconds * 1_000, exit.value.usableMs)",
      "rememberedSeconds * 1_000",
    ],
    [
      "the audit log names a key in capitals, as the operator wrote it",
      "apiKeyId: text.toLowerCase(), actor",
      "apiKeyId: text, actor",
    ],
  ]),
  ...faultsIn(
    "server/src/access/api-keys.ts",
    "test/access/api-key-routes.test.ts",
    [["an organization has one key too many", ")) >= keysMax) {", ")) > keysMax) {"]],
    { named: "at most 100 keys" },
  ),
  ...faultsIn("server/src/access/organizations/store.ts", "test/access/organizations.test.ts", [
    [
      "an organization that once set a retention cannot keep its data forever again",
      'retentionDays === undefined ? sql.literal("retention_days") : sql`${retentionDays}::int`',
      'retentionDays == null ? sql.literal("retention_days") : sql`${retentionDays}::int`',
    ],
  ]),
  ...faultsIn("server/src/access/tokens/external-keys.ts", "test/access/issuer-keys.test.ts", [
    [
      "every token with an unknown key causes a request to its issuer",
      "externalIssuer === undefined || nowMs - triedAtMs < pauseMs",
      "externalIssuer === undefined",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/http/revalidation.ts",
    "src/platform/http/revalidation.test.ts",
    [
      [
        "a page with a successor always counts as changed",
        '    .replace(/"nextCursor":"[^"]*"/, "")\n',
        "",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/http/compression.ts", "src/platform/http/compression.test.ts", [
    [
      "a coding that the client refuses is used",
      "    weights.get(coding) ??\n",
      "    (weights.get(coding) || undefined) ??\n",
    ],
  ]),
  ...faultsIn("server/src/platform/http/lists.ts", "test/http/empty-lists.test.ts", [
    [
      "a page behind the last one says that the list is empty",
      "list === undefined || total !== 0 ? {}",
      "list === undefined ? {}",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/http/one-at-a-time.ts",
    "src/platform/http/one-at-a-time.test.ts",
    [
      [
        "a connection may pipeline a hundred requests in its lifetime",
        "      line.waiting--\n",
        "",
      ],
      [
        "requests of a closed connection are still run",
        "if (!socket.destroyed) listener(request, response)",
        "listener(request, response)",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/http/problem.ts", "src/platform/http/problem.test.ts", [
    [
      "a client that takes both forms gets problem details",
      "(weights.get(problemType) ?? 0) > json",
      "(weights.get(problemType) ?? 0) >= json",
    ],
  ]),
  ...faultsIn("server/src/platform/http/rate-limit.ts", "test/http/rate-limit.test.ts", [
    [
      "of two limits the headers show the one that is further away",
      "Number(other) < remaining) return",
      "Number(other) > remaining) return",
    ],
  ]),
  ...faultsIn("server/src/platform/http/rate-limit.ts", "test/access/rate-limits.test.ts", [
    [
      "a request that another limit rejects counts against its address",
      "            error instanceof TooManyRequests ||\n",
      "",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/http/client-address.ts",
    "src/platform/http/client-address.test.ts",
    [
      [
        "what stands before an unreadable hop is believed",
        "if (parse(hop) === undefined) return address",
        "if (parse(hop) === undefined) continue",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/platform/lists/keyed-lists.ts",
    "src/platform/lists/keyed-lists.test.ts",
    [
      [
        "rows that arrive while someone pages appear on later pages",
        "a: DateTime.formatIso(asOf),",
        "a: DateTime.formatIso(now),",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/app/agents/handlers.ts",
    "test/agents/transport.test.ts",
    [
      [
        "a message with as many calls as are allowed is refused",
        "if (calls > callsMax) {",
        "if (calls >= callsMax) {",
      ],
    ],
    { named: "a message with more than 20 calls is refused" },
  ),
  ...faultsIn("server/src/platform/database/replica.ts", "test/operations/read-replica.test.ts", [
    [
      "a request's own bound on staleness is ignored",
      "lag.placeWithin(Math.min(stalenessMs, maxLagMs), yield* nowMs)",
      "lag.placeWithin(maxLagMs, yield* nowMs)",
    ],
    [
      "the replica still shows who was erased or suppressed",
      "isReplica && isFresh && found >= required",
      "isReplica && isFresh",
    ],
  ]),
  ...faultsIn(
    "server/src/platform/database/few-sessions.ts",
    "src/platform/database/few-sessions.test.ts",
    [
      [
        "background work that waited keeps its timer and is counted twice",
        "        clearTimeout(timer)\n        this.#waiting.delete(go)\n",
        "        this.#waiting.delete(go)\n",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/database/partitions.ts", "test/database/partitions.test.ts", [
    [
      "a partition of a transaction that was rolled back counts as made",
      "        if (Option.isSome(yield* Effect.serviceOption(sql.transactionService))) return\n",
      "",
    ],
    ["a dropped partition is not made again", "        ready.clear()\n      })", "      })"],
  ]),
  ...faultsIn("server/src/platform/database/transaction.ts", "test/database/transaction.test.ts", [
    [
      "what a failed attempt left to do after its commit is done twice",
      "    const attempt = Effect.suspend(() => {\n      const waiting: Array<Effect.Effect<void>> = []\n",
      "    const waiting: Array<Effect.Effect<void>> = []\n    const attempt = Effect.suspend(() => {\n",
    ],
    [
      "a serialization failure is not retried",
      '(error.reason._tag === "SerializationError" || error.reason._tag === "DeadlockError")',
      'error.reason._tag === "DeadlockError"',
    ],
  ]),
  ...faultsIn(
    "server/src/platform/database/turn-size.ts",
    "src/platform/database/turn-size.test.ts",
    [
      [
        "a small turn makes the next ones small",
        "if (rows === 0 || (rows < this.#next && fits >= rows)) return",
        "if (rows === 0) return",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/app/commands/organizations.ts",
    "test/commands/access.test.ts",
    [
      [
        "an organization's id in capitals is unknown to the operator",
        "const id = organizationId.toLowerCase()",
        "const id = organizationId",
      ],
    ],
    { named: "list shows the id, name", isBuilt: true },
  ),
  ...faultsIn(
    "server/src/app/commands/doctor/database-findings.ts",
    "test/commands/doctor.test.ts",
    [
      [
        "the doctor advises a newer version when the database is older",
        "return found < known\n",
        "return found > known\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/app/agents/handlers.ts",
    "test/agents/transport.test.ts",
    [
      [
        "all calls of a message count as one",
        "let call = 1; call < calls; call++",
        "let call = 1; call < 1; call++",
      ],
    ],
    { named: "every call of a message counts toward the limit" },
  ),
  ...faultsIn(
    "server/src/app/agents/messages.ts",
    "test/agents/transport.test.ts",
    [
      [
        "the requests of every agent count for one address",
        "Context.make(PeerAddress, clientAddress)",
        "Context.empty()",
      ],
      [
        "sessions of agents stay in memory",
        "return session === null\n        ? Effect.void",
        "return session !== null\n        ? Effect.void",
      ],
    ],
    { named: "a tool's own requests count for the address|keeps nothing of a client's session" },
  ),
  ...faultsIn("server/src/platform/database/partitions.ts", "test/database/partitions.test.ts", [
    [
      "a partition is dropped with the first row of its day",
      "if (yield* isEmpty(name)) yield* sql`drop table ${sql(name)}`",
      "yield* sql`drop table ${sql(name)}`",
    ],
  ]),
]
