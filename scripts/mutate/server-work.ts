// Faults in background work and in actions that may only happen once: queues, claims and fences, runs, deliveries,
// credits, webhooks, access tokens.
import { faultsIn } from "./fault.ts"

export const serverWork = [
  ...faultsIn("server/src/platform/jobs/store.ts", "test/jobs/store.test.ts", [
    ["two workers claim one row", "for update of job skip locked", ""],
    [
      "a write does not check its claim",
      "and id = ${id} and claim = ${claim}::text::bigint and leased_until is not null",
      "and id = ${id} and leased_until is not null",
    ],
    [
      "a write succeeds after the lease was released",
      "and claim = ${claim}::text::bigint and leased_until is not null`",
      "and claim = ${claim}::text::bigint`",
    ],
    [
      "a claim has the same number as the previous one",
      "claim = job.claim + 1,\n          next_attempt_at",
      "claim = job.claim,\n          next_attempt_at",
    ],
    [
      "work is claimed before it is due",
      "or job.next_attempt_at <= clock_timestamp())",
      "or true)",
    ],
    [
      "one party takes every slot",
      "sql`and coalesce(busy.held, 0) < ${perPartyMax}`",
      "sql`and coalesce(busy.held, 0) < ${perPartyMax} + 1`",
    ],
    [
      "organizations with the most running work come first",
      "order by coalesce(busy.held, 0), job",
      "order by coalesce(busy.held, 0) desc, job",
    ],
    [
      "lost work is retried once too often",
      "and attempts < ${queue.attemptsMax}`",
      "and attempts <= ${queue.attemptsMax}`",
    ],
    [
      "running work counts as lost",
      "leased_until = null,\n        updated_at = clock_timestamp()\n      where status = ${queue.working} and leased_until < clock_timestamp()",
      "leased_until = null,\n        updated_at = clock_timestamp()\n      where status = ${queue.working}",
    ],
    ["returned work counts as an attempt", "attempts = attempts - 1,", "attempts = attempts,"],
    ["a receiver's Retry-After is ignored", "${leastSeconds}::float8,", "0::float8,"],
  ]),
  ...faultsIn("server/src/platform/jobs/worker.ts", "test/jobs/worker.test.ts", [
    [
      "interrupted work stays claimed",
      "Effect.onInterrupt(() => Effect.ignore(jobs.release(claim))),",
      "",
    ],
    [
      "work continues after someone else has taken its lease",
      "if (isHeld === false) break",
      "if (isHeld === false) renewedAt = at",
    ],
    [
      "work continues for the whole lease without a response from the database",
      "leaseSeconds * leaseShareMax * 1000 - at",
      "leaseSeconds * 10 * 1000 - at",
    ],
    ["a failed attempt is not recorded", 'Effect.andThen(room.fail(claim, "unexpected")),', ""],
  ]),
  ...faultsIn(
    "server/src/activation/deliveries/sending/sendable.ts",
    "src/activation/deliveries/sending/sendable.test.ts",
    [
      [
        "data read ahead is trusted for an hour",
        "readAheadMsMax = 5_000",
        "readAheadMsMax = 3_600_000",
      ],
      [
        "data that was read is trusted on the second attempt",
        "tries === 1 ? readAheadMsMax : againMsMax",
        "tries <= 3 ? readAheadMsMax : againMsMax",
      ],
      [
        "suppressed people are sent",
        "contact.row !== undefined && !contact.isSuppressed &&",
        "contact.row !== undefined &&",
      ],
      [
        "a contact that must no longer be sent is sent",
        "() => seen.places.has(place)",
        "() => everyone.has(place)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sending/outcome.ts",
    "src/activation/deliveries/sending/outcome.test.ts",
    [
      ["a 408 is final", "statusCode === 408 || statusCode === 425", "statusCode === 425"],
      [
        "a long wait is waited for in place",
        "retryAfterSeconds > retryAfterSecondsInPlaceMax",
        "retryAfterSeconds > 10 * retryAfterSecondsInPlaceMax",
      ],
      [
        "a forbidden address is retried",
        'case "UrlNotAllowed":\n      return { type: "stopped", error }',
        'case "UrlNotAllowed":\n      return { type: "transient", error, retryAfterSeconds: null }',
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sending/batch.ts",
    "src/activation/deliveries/sending/batch.test.ts",
    [
      [
        "a contact is sent without permission",
        'if (!(typeof answer === "boolean" ? answer : yield* answer)) {',
        "if (false as boolean) {",
      ],
      [
        "a contact is not retried",
        "if (isAgain) again.push(",
        "if (isAgain && tries > 9) again.push(",
      ],
      ["a second attempt does not wait", "if (at > 0) {", "if (at < 0) {"],
      [
        "a longer Retry-After is shortened to the usual wait",
        "Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)",
        "contactWaitsMs[tries - 1]!",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sql/acknowledgement.ts",
    "test/deliveries/fences.test.ts",
    [
      [
        "an acknowledgement is written twice",
        "where ${held} and acknowledgements = ${acknowledgements}`",
        "where ${held}`",
      ],
      [
        "an acknowledgement is written under an expired claim",
        "where ${held} and acknowledgements = ${acknowledgements}`",
        "where organization_id is not null and acknowledgements = ${acknowledgements}`",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/identification.ts",
    "test/identification/faults.test.ts",
    [
      [
        "an event is blamed for a full disk",
        'if (_tag === "UnknownError") return !isOutOfOrder(error)',
        'if (_tag === "UnknownError") return true',
      ],
      [
        "a failing event is retried forever",
        "const isSetAside = yield* store.transaction(setAside(event, result.cause))",
        "const isSetAside = false",
      ],
    ],
  ),
  ...faultsIn("server/src/people/credits/store.ts", "test/identification/credits.test.ts", [
    [
      "a person uses a credit again each month",
      "where c.organization_id = v.organization_id and c.visitor_id = v.id\n          )\n      ), free",
      "where c.organization_id = v.organization_id and c.visitor_id = v.id and c.month = ${month}\n          )\n      ), free",
    ],
    [
      "suppressed people cost a credit",
      "where not v.suppressed\n          and not v.held_back",
      "where not v.held_back",
    ],
    ["one credit too many is used", "f.credits >= row_number()", "f.credits >= row_number() - 1"],
    [
      "the newest held-back people are released first",
      "where organization_id = ${organizationId} and held_back and not suppressed\n            order by held_back_place, id",
      "where organization_id = ${organizationId} and held_back and not suppressed\n            order by held_back_place desc, id",
    ],
    [
      "a release uses more credits than are left",
      "else least(${limit}::int, greatest(0, o.credit_limit - coalesce(m.used, 0)))",
      "else ${limit}::int",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/runs/store.ts",
    "test/runs/lost-worker.test.ts",
    [
      [
        "a run is completed by a worker that lost it",
        "updated_at = ${now}\n        where ${jobs.held(claim)}\n        returning ${columns}`",
        "updated_at = ${now}\n        where organization_id = ${claim.organizationId} and id = ${claim.id}\n        returning ${columns}`",
      ],
    ],
    { named: "completes nothing|cannot complete" },
  ),
  ...faultsIn(
    "server/src/intent/runs/store.ts",
    "test/runs/transitions.test.ts",
    [
      [
        "a run in progress is cancelled",
        "and id = ${runId} and status = 'queued'",
        "and id = ${runId} and status in ('queued', 'running')",
      ],
    ],
    { named: "is a conflict" },
  ),
  ...faultsIn("server/src/platform/jobs/batcher.ts", "src/platform/jobs/batcher.test.ts", [
    [
      "events are acknowledged before they are committed",
      "const outcomes = await this.#options.commit(batch.map(({ item }) => item)).catch(() => [])",
      "const commit = this.#options.commit(batch.map(({ item }) => item))\n    batch.forEach(({ settle }) => settle(true as never))\n    const outcomes = await commit.catch(() => [])",
    ],
    [
      "the queue holds one item too many of a party",
      "2 * (waiting.length + 1) > itemsFree",
      "2 * waiting.length > itemsFree",
    ],
    [
      "a party takes all bytes that the others leave",
      "2 * (bytes + more) > bytesFree",
      "bytes + more > bytesFree",
    ],
    [
      "a closed queue accepts items",
      "if (this.#isClosed || this.#isFull(share, bytes))",
      "if (this.#isFull(share, bytes))",
    ],
    [
      "too many commits run at a time",
      "this.#inFlight >= this.#options.limits.commitsInFlightMax",
      "this.#inFlight > this.#options.limits.commitsInFlightMax",
    ],
    [
      "a commit has one row too many",
      "rows + next.rows > rowsPerCommitMax",
      "rows + next.rows > rowsPerCommitMax + 1",
    ],
    ["long commits take every place", "if (isLong) this.#isLongInFlight = true", ""],
    [
      "the queue does not count the rows in running commits",
      "next.share.rows += next.rows",
      "next.share.rows += 0",
    ],
    [
      "a party that was served keeps its place in line",
      "      next.share.place = ++this.#places\n",
      "",
    ],
  ]),
  ...faultsIn("server/src/collect/visits/consent.ts", "src/collect/visits/privacy.test.ts", [
    [
      "the server trusts the script where consent is required",
      'if (mode === "required" || consentRegion.has(signals.country ?? "")) return "refused"',
      "",
    ],
    [
      "Global Privacy Control in the request header is ignored",
      'signals.gpc || signals.secGpc?.trim() === "1"',
      "signals.gpc",
    ],
    [
      "Do Not Track is ignored",
      "if (signals.dnt && settings.respectDnt === true)",
      "if (signals.dnt && settings.respectDnt === false)",
    ],
    [
      "a pixel collects although its owner denies it",
      'if (mode === "denied") return "refused"',
      "",
    ],
    [
      "a visitor who is anonymous by consent is identified",
      'signals.consent === "anonymous" ? "anonymous" : "identified"',
      '"identified"',
    ],
    ["GPC_MODE is ignored", 'if (gpc && signals.gpcMode === "honour")', "if (gpc)"],
    ["consent is not required in Switzerland", '"IS LI NO GB CH EU"', '"IS LI NO GB EU"'],
  ]),
  ...faultsIn("server/src/collect/visits/batch.ts", "src/collect/visits/batch.test.ts", [
    [
      "a batch has 21 events",
      "events.length > eventsPerBatchMax",
      "events.length > eventsPerBatchMax + 1",
    ],
    [
      "a capture may contain a hash instead of an address",
      'hasEmail === hasHash || (type === "capture" && hasHash)',
      "hasEmail === hasHash",
    ],
    ["a heartbeat may have any length", "seconds < 0 || seconds > activeSecondsMax", "seconds < 0"],
    [
      "an unknown consent value is accepted",
      'value === "granted" || value === "implied" || value === "anonymous"',
      'typeof value === "string"',
    ],
    ["an id in capitals is a different id", "id: id.toLowerCase()", "id"],
    ["a capture sets traits", 'isObject(traits) && type === "identify"', "isObject(traits)"],
    [
      "an event has 21 properties",
      "entries.length <= propertiesMax &&",
      "entries.length <= propertiesMax + 1 &&",
    ],
  ]),
  ...faultsIn("server/src/access/tokens/signed-token.ts", "test/access/token-attacks.test.ts", [
    [
      "headers that change what a signature covers are accepted",
      '"crit" in header || "b64" in header',
      "false",
    ],
    ["a token chooses its own algorithm", "{ algorithms: [...algorithms] }", "{}"],
    ["a repeated claim is accepted", "|| hasRepeatedMember(text)", ""],
    ["a token of another type is accepted", "types.has(typ.toLowerCase())", "true"],
  ]),
  ...faultsIn("server/src/access/tokens/access-tokens.ts", "test/access/token-attacks.test.ts", [
    [
      "a token for another audience is accepted",
      "read?.iss !== issuer || read.aud !== localAudience",
      "read?.iss !== issuer",
    ],
    [
      "an expired token is accepted",
      "nowSeconds < exp + clockSkewSeconds && nowSeconds",
      "nowSeconds",
    ],
    [
      "a token from the future is accepted",
      "nowSeconds >= Math.max(iat, nbf ?? iat) - clockSkewSeconds",
      "true",
    ],
    [
      "an unverified address is accepted",
      "email_verified: Schema.Literal(true)",
      "email_verified: Schema.Boolean",
    ],
  ]),
  ...faultsIn(
    "server/src/people/visitors/overview/overview.ts",
    "test/companies/overview-turns.test.ts",
    [
      ["a large organization does not pause", ".filter(({ ready }) => ready <= begun)", ""],
      ["an organization pauses forever", "ended + restFactor * (ended - begun)", "Infinity"],
      [
        "a failing day stops the work for other days",
        "if (Exit.isFailure(exit)) failure ??= exit.cause",
        "if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)",
      ],
    ],
  ),
  ...faultsIn("server/src/people/visitors/overview/store.ts", "test/companies/overview.test.ts", [
    [
      "removing a company's visit on a day does not update later days",
      "select * from gone union all select * from come union all select * from turned",
      "select * from come union all select * from turned",
    ],
    [
      "adding a company's visit on a day does not update later days",
      "select * from gone union all select * from come union all select * from turned",
      "select * from gone union all select * from turned",
    ],
    [
      "a company on another site counts for this site",
      "and (scoped.pixel_id = ${allPixels}::uuid or c.pixel_id = scoped.pixel_id)",
      "",
    ],
  ]),
  ...faultsIn("server/src/platform/jobs/fair-turns.ts", "src/platform/jobs/fair-turns.test.ts", [
    [
      "an organization gets one turn too many",
      "if (share.held >= turnsOfOne) continue",
      "if (share.held > turnsOfOne) continue",
    ],
  ]),
  ...faultsIn(
    "server/src/people/imports/import-places.ts",
    "src/people/imports/import-places.test.ts",
    [
      [
        "an importer with one place more is ended",
        "(counts.get(importer) ?? 0) + 2",
        "(counts.get(importer) ?? 1) + 1",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/access/sign-in/passwords/passwords.ts",
    "test/access/password-races.test.ts",
    [
      [
        "two changes at once with one password both succeed",
        "if (!(yield* store.isStill(userId, before))) return yield* new PasswordWrong()",
        "",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/runs/daily/daily-runs.ts", "test/runs/daily.test.ts", [
    [
      "a daily run starts although refresh was switched off in the meantime",
      " || !audience.dailyRefreshEnabled",
      "",
    ],
  ]),
]
