// Faults in what the server does by itself: jobs, topics, audiences, runs, deliveries, destinations, webhooks, outgoing
// requests and mail. Planted by a reader who had not written these rooms.
import { faultsIn } from "../fault.ts"

export const work = [
  ...faultsIn("server/src/platform/jobs/fair-turns.ts", "src/platform/jobs/fair-turns.test.ts", [
    [
      "a turn goes to a caller who gave up waiting, and never comes back",
      "            else if (one !== undefined) leave(one)\n",
      "",
    ],
    [
      "no one may wait although turns are free",
      "(free === 0 && waiting.size >= waitingMax.ofAll)",
      "waiting.size >= waitingMax.ofAll",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/topics/own-intent/store.ts",
    "test/topics/own-intent/own-intent.test.ts",
    [
      [
        "own intent names people who are held back",
        "    and not v.suppressed\n    and not v.held_back\n",
        "    and not v.suppressed\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/intent/topics/own-intent/store.ts",
    "test/topics/own-intent/days.test.ts",
    [
      [
        "today is computed once only",
        "and date >= (now() at time zone 'utc')::date\n",
        "and date > (now() at time zone 'utc')::date\n",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/topics/trends/trends.ts", "test/topics/trends.test.ts", [
    [
      "a comparison has one day too many",
      "addDays(to, 1 - windowDaysDefault)",
      "addDays(to, -windowDaysDefault)",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/audiences/matching/filters.ts",
    "test/audiences/preview.test.ts",
    [
      [
        "the filter companySize matches everyone",
        "test: sqlText`(${SqlText.join(\n    wanted.map((size) => {",
        "test: sqlText`(true or ${SqlText.join(\n    wanted.map((size) => {",
      ],
      [
        "the filter companyIndustry matches everyone",
        '  companyIndustry: isOneOfInAnyCase("industry"),',
        '  companyIndustry: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter seniority matches everyone",
        '  seniority: isOneOf("seniority"),',
        '  seniority: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter department matches everyone",
        '  department: isOneOf("department"),',
        '  department: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter state matches everyone",
        '  state: (wanted) => isOneOfInAnyCase("state")([wanted]),',
        '  state: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter companyRevenueRange matches everyone",
        '  companyRevenueRange: isOneOf("company_total_revenue"),',
        '  companyRevenueRange: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter ageRange matches everyone",
        '  ageRange: isOneOf("age_range"),',
        '  ageRange: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter gender matches everyone",
        '  gender: (wanted) => isOneOf("gender")([wanted]),',
        '  gender: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter isB2b matches everyone",
        '  isB2b: (wanted) => isOneOf("is_b2b")([wanted]),',
        '  isB2b: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter jobTitle matches everyone",
        '  jobTitle: containsOneOf("job_title"),',
        '  jobTitle: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter companyDomain matches everyone",
        '  companyDomain: (wanted) => isOneOf("company_domain")([wanted]),',
        '  companyDomain: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter companyName matches everyone",
        '  companyName: containsOneOf("company_name"),',
        '  companyName: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter hasBusinessEmail matches everyone",
        '  hasBusinessEmail: has("has_business_email"),',
        '  hasBusinessEmail: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter hasPersonalEmail matches everyone",
        '  hasPersonalEmail: has("has_personal_email"),',
        '  hasPersonalEmail: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter hasLinkedin matches everyone",
        '  hasLinkedin: has("has_linkedin"),',
        '  hasLinkedin: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
      [
        "the filter hasPhone matches everyone",
        '  hasPhone: has("has_phone"),',
        '  hasPhone: () => ({ reads: "gender", test: SqlText.of("true") }),',
      ],
    ],
    { named: "only the person whom the filter matches" },
  ),
  ...faultsIn("server/src/intent/audiences/previews.ts", "test/audiences/preview.test.ts", [
    [
      "a preview stays the same for a quarter of an hour after an import",
      "known !== undefined && known.version === current.version && known.until > now",
      "known !== undefined && known.until > now",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/audiences/lifecycle/audiences.ts",
    "test/audiences/lifecycle/transitions.test.ts",
    [
      [
        "an audience that is activated later does not use up the single run",
        'if (isActivated && changed.accessType === "one_shot") yield* store.takeOneShot(organizationId)',
        "",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/audiences/lifecycle/store.ts", "test/runs/daily.test.ts", [
    [
      "renaming an active audience skips its daily run",
      "when ${content.status}::text = 'active' and status <> 'active'\n              then",
      "when ${content.status}::text = 'active'\n              then",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/audiences/lifecycle/store.ts",
    "test/audiences/lifecycle/limits.test.ts",
    [
      [
        "an audience with a single run takes a slot",
        "where status = 'active' and access_type = 'paid')::int",
        "where status = 'active')::int",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/runs/daily/store.ts", "test/runs/daily.test.ts", [
    [
      "the day on which an audience was activated gets a daily run",
      "data.date > coalesce(data.activated, '-infinity')",
      "data.date >= coalesce(data.activated, '-infinity')",
    ],
  ]),
  ...faultsIn("server/src/intent/runs/daily/store.ts", "test/audiences/segment.test.ts", [
    [
      "without topics a daily run waits for new signals",
      "case when has_topics then latest.date else current_date end",
      "latest.date",
    ],
  ]),
  ...faultsIn("server/src/intent/audiences/matching/segment.ts", "test/audiences/model.test.ts", [
    [
      "people who are held back are in the audience of a segment",
      "sqlText`not visitor.held_back ${isRecent}",
      "sqlText`true ${isRecent}",
    ],
  ]),
  ...faultsIn("server/src/intent/audiences/matching/compile.ts", "test/audiences/model.test.ts", [
    [
      "a person with the topics need not be in the segment",
      "  where ${isInSegment(segment)}`",
      "  where true`",
    ],
  ]),
  ...faultsIn("server/src/intent/audiences/previews.ts", "test/audiences/segment.test.ts", [
    [
      "a preview of a segment is reused",
      "const isReused = config.segmentId === undefined",
      "const isReused = true",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/audiences/lifecycle/audiences.ts",
    "test/audiences/segment.test.ts",
    [
      [
        "a segment is deleted while an audience with it is created",
        "yield* configs.keepSegment(organizationId, config.config, configPath)\n      const organization",
        "const organization",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/intent/runs/materialization/materialization.ts",
    "test/runs/faults.test.ts",
    [
      [
        "a run is tried once too often",
        "isRetryable && claim.attempts < runQueue.attemptsMax",
        "isRetryable && claim.attempts <= runQueue.attemptsMax",
      ],
    ],
  ),
  ...faultsIn("server/src/intent/runs/materialization/compile.ts", "test/runs/model.test.ts", [
    [
      "a person's topics are not in the order of their scores",
      "order by matched.score desc, matched.topic_id",
      "order by matched.topic_id",
    ],
  ]),
  ...faultsIn("server/src/intent/runs/exports/exports.ts", "test/runs/exports/exports.test.ts", [
    [
      "two requests at once create two files of one run",
      "yield* completed(yield* Effect.orDie(store.lockRun(key)))",
      "yield* completed(yield* Effect.orDie(store.run(key)))",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/sending/store.ts",
    "test/webhooks/notifications.test.ts",
    [
      [
        "a digest counts people who were suppressed since",
        "k.id\n      join visitor v on v.organization_id = m.organization_id and v.id = m.visitor_id\n        and not v.suppressed and not v.held_back",
        "k.id\n      join visitor v on v.organization_id = m.organization_id and v.id = m.visitor_id",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/preparation.ts",
    "test/webhooks/notifications.test.ts",
    [
      [
        "a digest that is sent again names who was suppressed since",
        "                delivery.digest !== null ||\n",
        "",
      ],
      [
        "a webhook that was changed to a chat format gets bodies of the old one",
        " ||\n                delivery.payloadFormat !== delivery.format)",
        ")",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/settlement-store.ts",
    "test/webhooks/redelivery.test.ts",
    [
      [
        "a redelivery keeps a failing webhook from being disabled",
        "consecutive_failures = case when c.has_counted_success then 0",
        "consecutive_failures = case when c.has_success then 0",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/settlement-store.ts",
    "test/webhooks/sending.test.ts",
    [
      [
        "a 410 of a former address disables the webhook",
        "coalesce(w.url = any (c.gone_urls), false)",
        "coalesce(cardinality(c.gone_urls) > 0, false)",
      ],
      [
        "a receiver's Retry-After does not delay its next attempt",
        "              outcome.retry,\n",
        "              0::float8,\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/outcome.ts",
    "test/webhooks/sending.test.ts",
    [
      [
        "an event is given up after nine failures",
        "failures >= failuresMax\n",
        "failures > failuresMax\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/outcome.ts",
    "test/webhooks/redelivery.test.ts",
    [
      [
        "a redelivery that fails is tried again",
        "isFinal || delivery.isRedelivery || failures",
        "isFinal || failures",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/sending/pace.ts",
    "src/activation/webhooks/sending/pace.test.ts",
    [
      [
        "a shorter pause ends a longer one",
        "receiver.restsUntil = Math.max(receiver.restsUntil, until)",
        "receiver.restsUntil = until",
      ],
    ],
  ),
  ...faultsIn("server/src/activation/webhooks/webhooks.ts", "test/webhooks/notifications.test.ts", [
    [
      "a daily digest cannot become an hourly one",
      "digestTimes[given.digest ?? found.digest]",
      "digestTimes[found.digest]",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/sending/alert-mails.ts",
    "test/webhooks/email.test.ts",
    [
      [
        "an email that may have been sent is sent again",
        "if (known !== undefined) return",
        'if (known !== undefined && known.state !== "handed") return',
      ],
      [
        "an email that was temporarily refused is given up",
        'state === "temporary" ? undefined : { state, message }',
        '{ state: state === "temporary" ? "refused" : state, message }',
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/unsubscribe/links.ts",
    "test/webhooks/email.test.ts",
    [
      [
        "a forged link unsubscribes someone",
        'secrets.verify("unsubscribe", named, bytes.subarray(namedBytes))',
        "bytes.length > namedBytes",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/triggers/page-view-store.ts",
    "test/webhooks/page-viewed.test.ts",
    [
      [
        "an alert sends people who are suppressed",
        "v.suppressed is not true and not exists",
        "not exists",
      ],
      [
        "an alert sends someone held back by name",
        "case when not v.held_back then v.id end as visitor_id",
        "v.id as visitor_id",
      ],
      [
        "an alert that sends a person once sends every session",
        'else ${sql.literal(isAgain("person.viewed_at"))} end',
        "else true end",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/triggers/page-views.ts",
    "test/webhooks/page-viewed.test.ts",
    [
      ["a page view that arrives late is sent", "      !isLate &&\n", ""],
      ["a page view from before the alert is sent", "      receivedAt >= watchedFrom &&\n", ""],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/segments/watching.ts",
    "test/webhooks/segment-alerts-companies-model.test.ts",
    [
      [
        "a session of a suppressed person brings their company into a segment",
        'isSilent ? ("include" as const) : ("exclude" as const)',
        '"include" as const',
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/segments/watch-store.ts",
    "test/webhooks/segment-alerts-companies.test.ts",
    [["a suppressed company is sent", "`(one.suppressed or ${", "`(false and ${"]],
  ),
  ...faultsIn(
    "server/src/people/score/sql/notes.ts",
    "test/webhooks/segment-alerts-companies.test.ts",
    [
      [
        "a change of a person is no change of their company",
        "and visitor.id = locked.visitor_id and visitor.company_key is not null",
        "and false",
      ],
    ],
  ),
  ...faultsIn("server/src/activation/webhooks/webhooks.ts", "test/webhooks/company-seen.test.ts", [
    [
      "a webhook with a segment becomes one about companies",
      "yield* checkFilter(trigger, filter)",
      "yield* checkFilter(trigger, given)",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/triggers/triggers.ts",
    "test/webhooks/every-update.test.ts",
    [
      [
        "a webhook about all sites is not told when a session ends",
        "listener.pixelId === null || listener.pixelId === pixelId",
        "listener.pixelId === pixelId",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sql/plan.ts",
    "test/deliveries/incremental.test.ts",
    [
      [
        "everyone is sent again once the results of the last run were deleted",
        "when former.hashed_email is null and ${baselineIsKept(question)} then 'a'",
        "when former.hashed_email is null then 'a'",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sending/batch-progress.ts",
    "src/activation/deliveries/sending/batch.test.ts",
    [
      [
        "half of a batch failing stops the delivery",
        "this.#spent.length > this.#contacts / 2",
        "this.#spent.length >= this.#contacts / 2",
      ],
      [
        "refused contacts count as consecutive although another one failed in between",
        "this.#spent.push(this.#failureOf(contact, outcome.error, at))\n        this.streak = { code: null, count: 0 }\n",
        "this.#spent.push(this.#failureOf(contact, outcome.error, at))\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/deliveries.ts",
    "test/deliveries/requests.test.ts",
    [
      [
        "an audience's id in capitals has no destinations",
        "target?.audienceId === audienceId.toLowerCase()",
        "target?.audienceId === audienceId",
      ],
      [
        "a page of failed deliveries continues among all",
        "filters: [audienceId, filters.destinationId ?? null, filters.status ?? null]",
        "filters: [audienceId, filters.destinationId ?? null]",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/deliveries.ts",
    "test/deliveries/incremental.test.ts",
    [
      [
        "a delivery is retried although its results were deleted",
        "!mayRepeat(original) || run === undefined || run.resultsAreRemoved",
        "!mayRepeat(original) || run === undefined",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sending/route.ts",
    "test/deliveries/requests.test.ts",
    [
      [
        "a contact without an address counts as failed",
        "takes: (row, target) => row.email !== null && keptByPolicy(row, target)",
        "takes: (row, target) => keptByPolicy(row, target)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/work/sync-events.ts",
    "test/deliveries/transitions.test.ts",
    [
      [
        "an event's attempts are counted from one after a pause",
        "const attempts = attemptsBefore + tries",
        "const attempts = tries",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/deliveries/work/deliverer.ts",
    "test/deliveries/withdrawn.test.ts",
    [
      [
        "a delivery continues with an address that was changed and approved meanwhile",
        "const isChanged = !isApproved || approvedConfigHash !== approvedAtFirst",
        "const isChanged = !isApproved",
      ],
    ],
    { named: "is cancelled when the old one responds with" },
  ),
  ...faultsIn(
    "server/src/activation/deliveries/work/batches.ts",
    "test/deliveries/withdrawn.test.ts",
    [["a delivery continues with the settings it began with", "    target = looked.target\n", ""]],
    { named: "a change that needs no approval holds from the next batch on" },
  ),
  ...faultsIn(
    "server/src/activation/deliveries/sql/plan.ts",
    "test/deliveries/incremental.test.ts",
    [
      [
        "a retry of a retry without contacts sends everyone again",
        "        where former.batch_count is null\n",
        "        where false\n",
      ],
      [
        "a retry leaves out the batch that was interrupted",
        "batch.batch_index >= original.batch_index",
        "batch.batch_index > original.batch_index",
      ],
      [
        "a retry leaves out contacts that failed",
        "      or piece.position in (",
        "      or false and piece.position in (",
      ],
    ],
    { named: "covers contacts that failed or were not reached|covers those of the first delivery" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/destinations.ts",
    "test/destinations/states.test.ts",
    [
      [
        "settings that changed during the check are approved unchecked",
        "if (isApproval && configHash(content.config) !== approvedHash) return undefined\n",
        "",
      ],
      [
        "an approval that changes nothing is recorded",
        "      if (isDeepStrictEqual(content, present)) return found\n",
        "",
      ],
    ],
    { named: "does not approve settings that were changed|succeeds twice, and is recorded once" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/store.ts",
    "test/destinations/states.test.ts",
    [
      [
        "a change overwrites another one in progress",
        "sql`select from destination where ${at(key)} for no key update`",
        "sql`select from destination where ${at(key)}`",
      ],
    ],
    { named: "a change waits for another one in progress, and keeps it" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/destinations.ts",
    "test/destinations/creation.test.ts",
    [
      [
        "a secret rotated under an id in capitals cannot be opened",
        "destinationId: found.id }\n      const sealed",
        "destinationId: key.destinationId }\n      const sealed",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/webhooks/signing-secrets.ts",
    "test/webhooks/sending.test.ts",
    [
      [
        "a secret rotated under an id in capitals signs nothing",
        "webhookId.toLowerCase()",
        "webhookId",
      ],
    ],
    { named: "both sign during a rotation, then only the new one" },
  ),
  ...faultsIn(
    "server/src/intent/runs/materialization/materialization.ts",
    "test/runs/lost-worker.test.ts",
    [
      [
        "a person erased while a run looks for people stays in its result",
        "if (hasErasedMore || !(yield* remote.isCurrent))",
        "if (!(yield* remote.isCurrent))",
      ],
    ],
    { named: "a person erased while the run looks for people is in no result" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/transition.ts",
    "test/destinations/states.test.ts",
    [
      [
        "pausing a destination that needs attention skips its check",
        'mustBeApproved: mustBeApproved || status === "needs_attention"',
        "mustBeApproved",
      ],
      [
        "an approved destination keeps the errors from before",
        "    consecutiveErrors: 0,\n    mustBeApproved: false,\n  })\n}",
        "    mustBeApproved: false,\n  })\n}",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/destinations/accounts/accounts.ts",
    "test/destinations/accounts.test.ts",
    [
      [
        "a paused destination does not need attention after its account was removed",
        'stopDestinations(key, ["active", "paused"],',
        'stopDestinations(key, ["active"],',
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/destinations/connectors/pacing.ts",
    "src/activation/destinations/connectors/pacing.test.ts",
    [
      [
        "a second refusal shortens the wait",
        "Math.max(bucket.closedUntil, now + (retryAfterMs ?? waitMsDefault))",
        "now + (retryAfterMs ?? waitMsDefault)",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/outbound/outbound.ts", "test/outbound/guard.test.ts", [
    [
      "one redirect too many is followed",
      "if (redirects === redirectsMax) return",
      "if (redirects > redirectsMax) return",
    ],
    [
      "a permanent redirect that keeps the method is not followed",
      "new Set([301, 302, 303, 307, 308])",
      "new Set([301, 302, 303, 307])",
    ],
    [
      "a temporary redirect that keeps the method is not followed",
      "new Set([301, 302, 303, 307, 308])",
      "new Set([301, 302, 303, 308])",
    ],
    [
      "a redirect to another page (303) is not followed",
      "new Set([301, 302, 303, 307, 308])",
      "new Set([301, 302, 307, 308])",
    ],
    [
      "a choice of pages (300) is followed",
      "new Set([301, 302, 303, 307, 308])",
      "new Set([300, 301, 302, 303, 307, 308])",
    ],
  ]),
  ...faultsIn("server/src/platform/outbound/connector.ts", "test/outbound/guard.test.ts", [
    [
      "the certificate of a host with a trailing dot does not match",
      'host.replace(/\\.$/, "") : ""',
      'host : ""',
    ],
  ]),
  ...faultsIn("server/src/platform/outbound/mail/mail.ts", "test/mail/mail.test.ts", [
    [
      "a mail that may have been accepted is sent again",
      'if (reason === "temporary" && wait !== undefined) {',
      'if (reason !== "refused" && wait !== undefined) {',
    ],
    [
      "a mail's attempts are not counted, so it is tried forever",
      "{ message, attempts: attempts + 1 }",
      "{ message, attempts }",
    ],
    [
      "a posted mail is tried once less",
      "{ message, attempts: attempts + 1 }",
      "{ message, attempts: attempts + 2 }",
    ],
  ]),
  ...faultsIn(
    "server/src/intent/topics/own-intent/store.ts",
    "test/topics/own-intent/days.test.ts",
    [
      [
        "a day whose page views are partly deleted is counted as if whole",
        "where back + ${windowDays}::int <= coalesce",
        "where back <= coalesce",
      ],
      [
        "the oldest day whose page views are all stored keeps its signals",
        "where back + ${windowDays}::int <= coalesce",
        "where back + ${windowDays}::int < coalesce",
      ],
    ],
    { named: "a day whose page views are partly deleted" },
  ),
  ...faultsIn(
    "server/src/platform/outbound/outbound.ts",
    "test/outbound/kept-connections.test.ts",
    [
      [
        "an interrupted request keeps its socket open",
        "          return Effect.sync(() => {\n            deadline.cancel()\n            sending.abort()\n",
        "          return Effect.sync(() => {\n            deadline.cancel()\n",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/platform/outbound/promptness.ts",
    "src/platform/outbound/promptness.test.ts",
    [
      [
        "an interrupted request counts as a slow response",
        "      if (!this.#begun.delete(begun)) return\n",
        "      this.#begun.delete(begun)\n",
      ],
      ["a receiver stays late for a request that was interrupted", "    this.#begun.clear()\n", ""],
      [
        "a receiver that stops responding stays prompt",
        "this.#meanMs > promptMsMax || isLate",
        "this.#meanMs > promptMsMax",
      ],
      [
        "a receiver that never responded is prompt",
        "return this.#meanMs === undefined || this.#meanMs > promptMsMax || isLate",
        "return (this.#meanMs ?? 0) > promptMsMax || isLate",
      ],
    ],
  ),
  ...faultsIn("server/src/platform/outbound/sending.ts", "test/outbound/kept-connections.test.ts", [
    [
      "the connection of an interrupted request is used again",
      "if (!this.#isOver) this.#end(false)\n  }\n\n  fail",
      "if (!this.#isOver) this.#end(true)\n  }\n\n  fail",
    ],
    [
      "a request that was interrupted during the name look-up is sent",
      "if (!this.#isOver) connections.dispatch",
      "connections.dispatch",
    ],
    [
      "a request that ended while it waited for a connection is sent",
      "if (this.#isOver) controller.abort(ended)\n    else this",
      "this",
    ],
    [
      "a connection with the rest of a cut body is used again",
      "this.#end(!bodyIsCut)",
      "this.#end(true)",
    ],
  ]),
]
