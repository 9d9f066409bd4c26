// Faults in background work and in actions that may only happen once: queues, claims and fences, runs, deliveries,
// credits, webhooks, access tokens.
import { faultsIn } from "./fault.ts"

export const serverWork = [
  ...faultsIn("server/src/jobs/store.ts", "test/jobs/store.test.ts", [
    ["two workers claim one row", "for update of job skip locked", ""],
    [
      "a write does not name its claim",
      "and id = ${id} and claim = ${claim}::text::bigint and leased_until is not null",
      "and id = ${id} and leased_until is not null",
    ],
    [
      "a write goes through after the lease was given up",
      "and claim = ${claim}::text::bigint and leased_until is not null`",
      "and claim = ${claim}::text::bigint`",
    ],
    [
      "a claim has the number of the one before",
      "claim = job.claim + 1,\n          next_attempt_at",
      "claim = job.claim,\n          next_attempt_at",
    ],
    ["work is claimed before its time", "or job.next_attempt_at <= clock_timestamp())", "or true)"],
    [
      "one organization takes every place",
      "sql`and coalesce(busy.held, 0) < ${perOrganizationMax}`",
      "sql`and coalesce(busy.held, 0) < ${perOrganizationMax} + 1`",
    ],
    [
      "organizations with much work in hand come first",
      "order by coalesce(busy.held, 0), job",
      "order by coalesce(busy.held, 0) desc, job",
    ],
    [
      "lost work is tried once too often",
      "and attempts < ${queue.attemptsMax}`",
      "and attempts <= ${queue.attemptsMax}`",
    ],
    [
      "work in hand counts as lost",
      "leased_until = null,\n        updated_at = clock_timestamp()\n      where status = ${queue.working} and leased_until < clock_timestamp()",
      "leased_until = null,\n        updated_at = clock_timestamp()\n      where status = ${queue.working}",
    ],
    [
      "work that was put back counts as an attempt",
      "attempts = attempts - 1,",
      "attempts = attempts,",
    ],
    ["the wait of a receiver is not kept to", "${leastSeconds}::float8,", "0::float8,"],
  ]),
  ...faultsIn("server/src/jobs/worker.ts", "test/jobs/worker.test.ts", [
    [
      "work that is interrupted stays claimed",
      "Effect.onInterrupt(() => Effect.ignore(jobs.release(claim))),",
      "",
    ],
    [
      "work goes on when its lease is someone else's",
      "if (isHeld === false) break",
      "if (isHeld === false) renewedAt = at",
    ],
    [
      "work goes on for the whole lease without an answer of the database",
      "leaseSeconds * leaseShareMax * 1000 - at",
      "leaseSeconds * 10 * 1000 - at",
    ],
    [
      "an attempt that breaks is written nowhere",
      'Effect.andThen(room.fail(claim, "unexpected")),',
      "",
    ],
  ]),
  ...faultsIn(
    "server/src/deliveries/sending/sendable.ts",
    "src/deliveries/sending/sendable.test.ts",
    [
      [
        "what was read ahead is trusted for an hour",
        "readAheadMsMax = 5_000",
        "readAheadMsMax = 3_600_000",
      ],
      [
        "what was read is trusted on the second attempt",
        "tries === 1 ? readAheadMsMax : againMsMax",
        "tries <= 3 ? readAheadMsMax : againMsMax",
      ],
      [
        "suppressed people are sent",
        "contact.row !== undefined && !contact.isSuppressed &&",
        "contact.row !== undefined &&",
      ],
      [
        "who is not to be sent any more is sent",
        "() => seen.places.has(place)",
        "() => everyone.has(place)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/deliveries/sending/outcome.ts",
    "src/deliveries/sending/outcome.test.ts",
    [
      ["a 408 is a refusal", "status === 408 || status === 425", "status === 425"],
      ["Retry-After of a 503 is not kept to", "status === 429 || status === 503", "status === 429"],
      [
        "a long wait is waited for in place",
        "retryAfterSeconds > retryAfterSecondsInPlaceMax",
        "retryAfterSeconds > 10 * retryAfterSecondsInPlaceMax",
      ],
      [
        "an address that is not allowed is tried again",
        'case "UrlNotAllowed":\n      return { type: "stopped", error }',
        'case "UrlNotAllowed":\n      return { type: "transient", error, retryAfterSeconds: null }',
      ],
    ],
  ),
  ...faultsIn("server/src/deliveries/sending/batch.ts", "src/deliveries/sending/batch.test.ts", [
    [
      "a contact is sent although it may not",
      'if (!(typeof answer === "boolean" ? answer : yield* answer)) {',
      "if (false as boolean) {",
    ],
    [
      "a contact is not tried again",
      "if (isAgain) again.push(",
      "if (isAgain && tries > 9) again.push(",
    ],
    ["a second attempt does not wait", "if (at > 0) {", "if (at < 0) {"],
    [
      "a longer Retry-After is cut to the usual wait",
      "Math.max(contactWaitsMs[tries - 1]!, (retryAfterSeconds ?? 0) * 1000)",
      "contactWaitsMs[tries - 1]!",
    ],
  ]),
  ...faultsIn("server/src/deliveries/sql/acknowledgement.ts", "test/deliveries/fences.test.ts", [
    [
      "an acknowledgement is written twice",
      "where ${held} and acknowledgements = ${acknowledgements}`",
      "where ${held}`",
    ],
    [
      "an acknowledgement is written under a claim that is over",
      "where ${held} and acknowledgements = ${acknowledgements}`",
      "where organization_id is not null and acknowledgements = ${acknowledgements}`",
    ],
  ]),
  ...faultsIn("server/src/identification/identification.ts", "test/identification/faults.test.ts", [
    [
      "a full disk is blamed on an event",
      'if (_tag === "UnknownError") return !isOutOfOrder(error)',
      'if (_tag === "UnknownError") return true',
    ],
    [
      "an event that fails is tried again and again",
      "const isSetAside = yield* store.transaction(setAside(event, result.cause))",
      "const isSetAside = false",
    ],
  ]),
  ...faultsIn("server/src/identification/credits/store.ts", "test/identification/credits.test.ts", [
    [
      "a credit is asked for again each month",
      "where c.organization_id = v.organization_id and c.visitor_id = v.id\n          )\n      ), free",
      "where c.organization_id = v.organization_id and c.visitor_id = v.id and c.month = ${month}\n          )\n      ), free",
    ],
    [
      "suppressed people cost a credit",
      "where not v.suppressed\n          and not v.held_back",
      "where not v.held_back",
    ],
    [
      "one credit more than there are is used",
      "f.credits >= row_number()",
      "f.credits >= row_number() - 1",
    ],
    [
      "who came last is released first",
      "where organization_id = ${organizationId} and held_back and not suppressed\n            order by held_back_place, id",
      "where organization_id = ${organizationId} and held_back and not suppressed\n            order by held_back_place desc, id",
    ],
    [
      "a release uses more credits than there are",
      "else least(${limit}::int, greatest(0, o.credit_limit - coalesce(m.used, 0)))",
      "else ${limit}::int",
    ],
  ]),
  ...faultsIn(
    "server/src/runs/store.ts",
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
    "server/src/runs/store.ts",
    "test/runs/transitions.test.ts",
    [
      [
        "a running run is cancelled",
        "and id = ${runId} and status = 'queued'",
        "and id = ${runId} and status in ('queued', 'running')",
      ],
    ],
    { named: "is a conflict" },
  ),
  ...faultsIn("server/src/visits/commit-queue.ts", "src/visits/commit-queue.test.ts", [
    [
      "events are acknowledged before they are committed",
      "const outcomes = await this.#options.commit(batch.map(({ item }) => item)).catch(() => [])",
      "const commit = this.#options.commit(batch.map(({ item }) => item))\n    batch.forEach(({ settle }) => settle(true as never))\n    const outcomes = await commit.catch(() => [])",
    ],
    [
      "the queue holds one item too many",
      "this.#waiting.length >= itemsMax",
      "this.#waiting.length > itemsMax",
    ],
    ["the bytes of what waits have no bound", "this.#bytes + bytes > bytesMax", "bytes > bytesMax"],
    ["a queue that is closed takes more", "if (isFull || this.#isClosed)", "if (isFull)"],
    [
      "more commits run at a time than may",
      "this.#inFlight >= this.#options.limits.commitsInFlightMax",
      "this.#inFlight > this.#options.limits.commitsInFlightMax",
    ],
    [
      "a commit has one item too many",
      "place === itemsPerCommitMax",
      "place === itemsPerCommitMax + 1",
    ],
  ]),
  ...faultsIn("server/src/visits/consent.ts", "src/visits/privacy.test.ts", [
    [
      "the server believes the script where consent is required",
      'if (mode === "required" || consentRegion.has(signals.country ?? "")) return "refused"',
      "",
    ],
    [
      "Global Privacy Control in the request header is not looked at",
      'signals.gpc || signals.secGpc?.trim() === "1"',
      "signals.gpc",
    ],
    [
      "Do Not Track is not looked at",
      "if (signals.dnt && settings.respectDnt === true)",
      "if (signals.dnt && settings.respectDnt === false)",
    ],
    ["a pixel of an owner who denies collects", 'if (mode === "denied") return "refused"', ""],
    [
      "who is anonymous by consent is identified",
      'signals.consent === "anonymous" ? "anonymous" : "identified"',
      '"identified"',
    ],
    ["GPC_MODE is not looked at", 'if (gpc && signals.gpcMode === "honour")', "if (gpc)"],
    ["consent is not required in Switzerland", '"IS LI NO GB CH"', '"IS LI NO GB"'],
  ]),
  ...faultsIn("server/src/visits/batch.ts", "src/visits/batch.test.ts", [
    [
      "a batch has 21 events",
      "events.length > eventsPerBatchMax",
      "events.length > eventsPerBatchMax + 1",
    ],
    [
      "a capture may hold a hash instead of an address",
      'hasEmail === hasHash || (type === "capture" && hasHash)',
      "hasEmail === hasHash",
    ],
    ["a heartbeat may be any length", "seconds < 0 || seconds > activeSecondsMax", "seconds < 0"],
    [
      "an unknown word of consent passes",
      'value === "granted" || value === "implied" || value === "anonymous"',
      'typeof value === "string"',
    ],
    ["an id in capitals is another id", "id: id.toLowerCase()", "id"],
    ["a capture sets traits", 'isObject(traits) && type === "identify"', "isObject(traits)"],
    [
      "an event has 21 properties",
      "entries.length <= propertiesMax &&",
      "entries.length <= propertiesMax + 1 &&",
    ],
  ]),
  ...faultsIn("server/src/access/tokens/signed-token.ts", "test/access/token-attacks.test.ts", [
    [
      "headers that change what a signature covers pass",
      '"crit" in header || "b64" in header',
      "false",
    ],
    ["the algorithm of a token is the one that it names", "{ algorithms: [...algorithms] }", "{}"],
    ["a claim that is given twice passes", "|| hasRepeatedMember(text)", ""],
    ["a token of another kind passes", "types.has(typ.toLowerCase())", "true"],
  ]),
  ...faultsIn("server/src/access/tokens/access-tokens.ts", "test/access/token-attacks.test.ts", [
    [
      "a token for another audience passes",
      "read?.iss !== issuer || read.aud !== localAudience",
      "read?.iss !== issuer",
    ],
    ["an expired token passes", "nowSeconds < exp + clockSkewSeconds && nowSeconds", "nowSeconds"],
    [
      "a token of the future passes",
      "nowSeconds >= Math.max(iat, nbf ?? iat) - clockSkewSeconds",
      "true",
    ],
    [
      "an address that is not verified passes",
      "email_verified: Schema.Literal(true)",
      "email_verified: Schema.Boolean",
    ],
  ]),
  ...faultsIn("server/src/visitors/overview/overview.ts", "test/companies/overview-turns.test.ts", [
    ["a large organization does not rest", ".filter(({ ready }) => ready <= begun)", ""],
    ["an organization rests for good", "ended + restFactor * (ended - begun)", "Infinity"],
    [
      "a day that fails ends the work for the others",
      "if (Exit.isFailure(exit)) failure ??= exit.cause",
      "if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)",
    ],
  ]),
  ...faultsIn("server/src/visitors/overview/store.ts", "test/companies/overview.test.ts", [
    [
      "a company that no longer came on a day changes no later day",
      "(select * from gone union all select * from come) as moved",
      "(select * from come) as moved",
    ],
    [
      "a company that came on a day changes no later day",
      "(select * from gone union all select * from come) as moved",
      "(select * from gone) as moved",
    ],
    [
      "a company on another site counts for the site",
      "and (scoped.pixel_id = ${allPixels}::uuid or c.pixel_id = scoped.pixel_id)",
      "",
    ],
  ]),
]
