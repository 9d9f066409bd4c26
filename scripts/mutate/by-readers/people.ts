// Faults in what is known about people and companies: identification, imports, suppression, visitors. Planted by a
// reader who had not written these rooms.
import { faultsIn } from "../fault.ts"

export const people = [
  ...faultsIn(
    "server/src/people/identification/session.ts",
    "src/people/identification/session.test.ts",
    [
      [
        "a page view that arrives late becomes the exit page",
        "session.exit !== null && session.exit.at > at ? session.exit : seen",
        "seen",
      ],
      [
        "a session in which a hash was identified may pass to someone else",
        " || payload.e !== undefined || payload.h !== undefined",
        " || payload.e !== undefined",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/page-trail.ts",
    "src/people/identification/session.test.ts",
    [
      [
        "a page view that arrives late moves the page back in time",
        "    viewedAt: Math.max(known?.viewedAt ?? at, at),",
        "    viewedAt: at,",
      ],
      [
        "a page view that arrives late is not counted for a rule",
        "return pages.with(pages.indexOf(known), page)",
        "return pages",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/browser.ts",
    "src/people/identification/browser.test.ts",
    [
      [
        "an event between two sessions joins the newer one, not the nearer one",
        "distanceMs(a, at) - distanceMs(b, at) || b.startedAt - a.startedAt",
        "b.startedAt - a.startedAt",
      ],
      [
        "a pause of exactly 30 minutes does not end a session",
        "distanceMs(session, at) < inactivityMs",
        "distanceMs(session, at) <= inactivityMs",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/visitor.ts",
    "src/people/identification/directory.test.ts",
    [
      [
        "an address keeps the time of the event that arrived first",
        "firstSeenAt: earlier(address.firstSeenAt, added.firstSeenAt)",
        "firstSeenAt: address.firstSeenAt",
      ],
      [
        "an excluded domain is the company of people with an address there",
        "domain === undefined || graph.isExcludedDomain(domain) ? null",
        "domain === undefined ? null",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/resolving/resolution.ts",
    "test/people/resolving.test.ts",
    [
      [
        "a browser is not asked about again after its resolver failed",
        "if (isComplete) for (",
        "for (",
      ],
      [
        "a browser is not asked about again with the address that it has given since",
        "`${key} ${question.ip} ${question.emailHash}`",
        "`${key} ${question.ip}`",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/resolving/http-resolver.ts",
    "src/people/identification/resolving/http-resolver.test.ts",
    [
      [
        "five failures in a resolver's lifetime pause it",
        "      failures = 0\n      return answers.flat()",
        "      return answers.flat()",
      ],
    ],
  ),
  ...faultsIn("server/src/people/retention/store.ts", "test/identification/retention.test.ts", [
    [
      "retention deletes imported links",
      "        and l.email_hash = a.email_hash\n        and l.import_id is null`",
      "        and l.email_hash = a.email_hash`",
    ],
    [
      "events are deleted a day early",
      "received_on < (now() at time zone 'utc')::date - ${retentionDays}::int",
      "received_on <= (now() at time zone 'utc')::date - ${retentionDays}::int",
    ],
  ]),
  ...faultsIn("server/src/people/retention/retention.ts", "test/identification/retention.test.ts", [
    [
      "retention stops after its first batch of sessions",
      "Effect.repeat({ while: (sessions) => sessions === sessionsPerBatchMax }),\n        )\n        yield* store\n          .deleteEvents",
      "Effect.repeat({ while: (sessions) => sessions > sessionsPerBatchMax }),\n        )\n        yield* store\n          .deleteEvents",
    ],
  ]),
  ...faultsIn(
    "server/src/people/identification/user-ids/sharing.ts",
    "src/people/identification/user-ids/sharing.test.ts",
    [
      [
        "a user id counts as shared by browsers of earlier weeks",
        "return all.filter(([, seenAt]) => seenAt > newest - windowMs)",
        "return newest > 0 ? all : []",
      ],
    ],
  ),
  ...faultsIn("server/src/people/identification/merging/store.ts", "test/people/merging.test.ts", [
    [
      "a merged person's earlier browsers still name the deleted one",
      '          on b.organization_id = k."organizationId" and b.visitor_id = k."loserId"\n        union\n        select s.organization_id, s.anonymous_id\n        from ${pairs}\n        join session s\n          on s.organization_id = k."organizationId" and s.visitor_id = k."loserId"\n',
      '          on b.organization_id = k."organizationId" and b.visitor_id = k."loserId"\n',
    ],
  ]),
  ...faultsIn(
    "server/src/people/identification/merging/alias-graph.ts",
    "src/people/identification/merging/alias-graph.test.ts",
    [
      [
        "shared records take precedence over the organization's own",
        "return [organizationId, sharedOrganizationId].flatMap((owner) =>\n      members",
        "return [sharedOrganizationId, organizationId].flatMap((owner) =>\n      members",
      ],
    ],
  ),
  ...faultsIn("server/src/people/credits/store.ts", "test/identification/merged-credits.test.ts", [
    [
      "a merged person loses the earlier place in the line for credits",
      "least(s.held_back_place, min(l.held_back_place)) as place",
      "s.held_back_place as place",
    ],
  ]),
  ...faultsIn("server/src/people/credits/store.ts", "test/identification/credits.test.ts", [
    [
      "no one is released when an organization's limit is lifted",
      "(v.suppressed or o.credit_limit is null or o.credit_limit > coalesce(m.used, 0))",
      "(v.suppressed or o.credit_limit > coalesce(m.used, 0))",
    ],
  ]),
  ...faultsIn("server/src/people/person/links/links.ts", "test/erasure/never-seen.test.ts", [
    [
      "a link may lead from an erased address",
      'return kind === "email" ? [value, emailHash] : [emailHash]',
      "return [emailHash]",
    ],
  ]),
  ...faultsIn("server/src/people/person/links/store.ts", "test/people/merging.test.ts", [
    [
      "an external id takes precedence over a link of the address itself",
      "        is_link = true\n      where not person_address.is_link",
      "        is_link = true",
    ],
    [
      "a shared link takes precedence over the organization's own",
      "l.organization_id = ${sharedOrganizationId}, l.email_hash",
      "l.email_hash",
    ],
  ]),
  ...faultsIn("server/src/people/imports/imports.ts", "test/people/import.test.ts", [
    [
      "what an import changes after its first batch is not noticed",
      "if (isFirst && inserted + updated === 0) return\n",
      "if (!isFirst || inserted + updated === 0) return\n",
    ],
  ]),
  ...faultsIn("server/src/people/imports/merged-import.ts", "test/erasure/never-seen.test.ts", [
    [
      "of erased people's rows only the last of each person is reported",
      "numbers: [...earlier.numbers, ...later.numbers],",
      "numbers: later.numbers,",
    ],
  ]),
  ...faultsIn("server/src/people/imports/record-reader.ts", "test/people/people.test.ts", [
    [
      "null in a later row does not clear what an earlier row set",
      "value === undefined && !(later.cleared & (1 << place)) ? earlier.values[place] : value",
      "value === undefined ? earlier.values[place] : value",
    ],
  ]),
  ...faultsIn("server/src/people/imports/row-reader.ts", "test/people/import.test.ts", [
    [
      "the first record of a file with a byte order mark is unreadable",
      "? first.subarray(3)",
      "? first.subarray(0)",
    ],
  ]),
  ...faultsIn("server/src/people/imports/field.ts", "test/people/import.test.ts", [
    [
      "a flag for all of a person's phones is read as a list",
      "return items.length === 1 ? items[0] : items",
      "return items",
    ],
  ]),
  ...faultsIn("server/src/people/suppression/suppression.ts", "test/suppression/rules.test.ts", [
    [
      "replacing the rules of one type adds rules of others",
      "const submission = readSubmission(rows, types)",
      "const submission = readSubmission(rows)",
    ],
    [
      "a page of one search continues in another",
      "filters: [type ?? null, text ?? null, originId ?? null]",
      "filters: [type ?? null, originId ?? null]",
    ],
    [
      "a rule that is repeated in a request is not counted as a duplicate",
      "duplicates: repeated + rules.length - added",
      "duplicates: rules.length - added",
    ],
  ]),
  ...faultsIn(
    "server/src/people/suppression/cycle/store.ts",
    "test/suppression/cycle-turns.test.ts",
    [
      [
        "changes of a cycle that began during the search are not searched",
        "where organization_id = ${organizationId} and cycle_at = ${now}::timestamptz`\n  })",
        "where organization_id = ${organizationId}`\n  })",
      ],
      [
        "changes that are not searched yet are lost when the next cycle begins",
        "marks_from = coalesce(list.marks_from, list.cycle_at)",
        "marks_from = list.cycle_at",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/suppression/matching/store.ts",
    "test/suppression/matching.test.ts",
    [
      [
        "a preview says that a removed rule exists",
        "and rule.match_key = submitted.match_key and rule.removed_at is null",
        "and rule.match_key = submitted.match_key",
      ],
      [
        "a preview counts people held back",
        "where not v.held_back\n          and v.last_seen_at",
        "where v.last_seen_at",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/segments/segments.ts",
    "test/visitors/segments/preview.test.ts",
    [
      [
        "a preview accepts a pixel of another organization",
        "yield* pixels.scope(organizationId, { pixelId, pixelIds })",
        "{ sites: pixelId }",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/segments/segments.ts",
    "test/visitors/segments/segments.test.ts",
    [
      [
        "of two changes at once one is lost",
        "const found = yield* store.findForChange(key)\n      const rule",
        "const found = yield* store.find(key)\n      const rule",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/sessions/store.ts",
    "test/visitors/sessions/requests.test.ts",
    [
      [
        "the sessions of a person held back are shown",
        "address.email_hash = ${emailHash}\n          and not held_back`",
        "address.email_hash = ${emailHash}`",
      ],
    ],
  ),
  ...faultsIn("server/src/people/visitors/companies/store.ts", "test/companies/endpoints.test.ts", [
    [
      "an underscore in a search for companies means any letter",
      '.replaceAll(/[\\\\%_]/g, "\\\\$&")',
      '.replaceAll(/[\\\\%]/g, "\\\\$&")',
    ],
    [
      "people held back count among a company's people",
      "select s.*, not v.held_back as is_person",
      "select s.*, true as is_person",
    ],
  ]),
  ...faultsIn(
    "server/src/people/visitors/companies/companies.ts",
    "test/companies/endpoints.test.ts",
    [
      [
        "a page of all companies continues among the anonymous ones",
        "            isAnonymous ?? false,\n",
        "",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/query/visitor-conditions.ts",
    "test/visitors/query/model.test.ts",
    [
      [
        "a person with a session on another site is not new here",
        "      select from session where ${allSessions(scope)} offset 1)",
        "      select from session where session.organization_id = ${scope.organizationId}::uuid\n        and session.visitor_id = ${visitorId(scope)} offset 1)",
      ],
      [
        "an address known only by its hash counts as a business address",
        "and address.kind = ${kind}::text and address.email is not null)`",
        "and coalesce(address.kind, 'business') = ${kind}::text)`",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/tracked.ts",
    "src/people/identification/tracked.test.ts",
    [
      [
        "the properties of many events make a session's row as large as a page likes",
        "    left -= length\n",
        "",
      ],
      [
        "a rule compares a property with its upper case letters",
        "foldCase(String(given).trim())",
        "String(given).trim()",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/visitors/query/counted.ts",
    "test/visitors/query/counted.test.ts",
    [
      [
        "a rule counts the page views of paths that begin with the same letters",
        "${escapePattern(start)}/%`)",
        "${escapePattern(start)}%`)",
      ],
      [
        "a path filter counts the page above its last star",
        "SqlText.of(String(segments.length))}`",
        "SqlText.of(String(segments.length - 1))}`",
      ],
      [
        "a rule that excludes a plan finds people who chose it once",
        "(isNegative ? none : some)(test",
        "some(isNegative ? sqlText`not (${test})` : test",
      ],
    ],
    { named: "a rule" },
  ),
  ...faultsIn(
    "server/src/people/visitors/query/session-conditions.ts",
    "src/people/visitors/query/compile.test.ts",
    [
      [
        "a rule for fewer than one session finds people with sessions",
        'case "lt":\n      return predicate.value > 0 && predicate.value <= 1 ? false : undefined',
        'case "lt":\n      return predicate.value > 0 && predicate.value <= 1 ? true : undefined',
      ],
    ],
  ),
  ...faultsIn("server/src/people/erasure/erasure.ts", "test/erasure/never-seen.test.ts", [
    [
      "audience filters offer values of an erased person for hours",
      '        yield* versions.raise("people", organizationId)\n',
      "",
    ],
  ]),
  ...faultsIn(
    "server/src/people/erasure/erasure.ts",
    "test/webhooks/company-seen.test.ts",
    [
      [
        "a company known only by an erased person is sent to webhooks",
        "        yield* occasions.forgetCompanies(\n          organizationId,\n          theirs.map(({ domain }) => domain),\n        )\n",
        "",
      ],
    ],
    { named: "a company whose only person was erased" },
  ),
  ...faultsIn("server/src/people/erasure/store.ts", "test/erasure/erasure.test.ts", [
    [
      "a browser still names the erased person that a link led to",
      "      linked_hash = case when b.linked_hash <> all (${hashesOf(person)}) then b.linked_hash end\n",
      "      linked_hash = b.linked_hash\n",
    ],
  ]),
  ...faultsIn(
    "server/src/people/identification/user-ids/store.ts",
    "test/sources/attacks.test.ts",
    [
      [
        "a later claim moves the first one's time",
        "occurred_at = least(user_id_claim.occurred_at, excluded.occurred_at)",
        "occurred_at = excluded.occurred_at",
      ],
      [
        "a claim that arrives late is not moved back",
        "occurred_at = least(user_id_claim.occurred_at, excluded.occurred_at)",
        "occurred_at = user_id_claim.occurred_at",
      ],
      [
        "of claims in one batch the last counts",
        'k."userId", min(k."occurredAt")',
        'k."userId", max(k."occurredAt")',
      ],
      [
        "a server's link takes a stranger's identified visits from before the claim",
        "        and (k.since is null or s.ended_at >= to_timestamp(k.since / 1000))\n",
        "",
      ],
      [
        "a server's link takes other people's visits in a misled browser",
        '        and s.visitor_id = k."claimantId"\n',
        "",
      ],
    ],
    { named: "claims that arrive" },
  ),
  ...faultsIn(
    "server/src/people/identification/user-ids/user-ids.ts",
    "test/sources/attacks.test.ts",
    [
      [
        "a server's link takes a stranger's visits from before the claim",
        "id === claimantId && at >= (since ?? at)",
        "id === claimantId",
      ],
      [
        "a stranger names the person of a server's message because they own the user id's browser",
        "(yield* store.owners(userIds)).filter((owner) => !isClaimed(owner, stored))",
        "(yield* store.owners(userIds))",
      ],
    ],
    { named: "claims that arrive|once owned the user id's own browser" },
  ),
  ...faultsIn(
    "server/src/people/identification/user-ids/user-ids.ts",
    "test/sources/tracking.test.ts",
    [
      [
        "a user id leads to its own browser's person although a server named another since",
        "      ...stored.filter(({ isOfBrowserKey }) => isOfBrowserKey),\n      ...(yield* store.owners(userIds)).filter((owner) => !isClaimed(owner, stored)),\n      ...stored.filter(({ isOfBrowserKey }) => !isOfBrowserKey),\n",
        "      ...stored,\n      ...(yield* store.owners(userIds)).filter((owner) => !isClaimed(owner, stored)),\n",
      ],
    ],
    { named: "the person that a server named last" },
  ),
  ...faultsIn("server/src/people/retention/retention.ts", "test/identification/retention.test.ts", [
    [
      "the empty partition of a day that another process writes to is dropped",
      "yield* DateTime.now, { days: retentionDaysMin }",
      "yield* DateTime.now, { days: 0 }",
    ],
  ]),
  ...faultsIn(
    "server/src/people/identification/ownership.ts",
    "src/people/identification/ownership.test.ts",
    [
      [
        "of more than 50 identifications the first is forgotten",
        "kept.toSpliced(1, 1)",
        "kept.toSpliced(0, 1)",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/ownership/store.ts",
    "test/identification/recomputation.test.ts",
    [
      [
        "a late event moves the last visit on a pixel back",
        "last_seen_at = greatest(visitor_pixel.last_seen_at, excluded.last_seen_at)",
        "last_seen_at = excluded.last_seen_at",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/isolated-organizations.ts",
    "src/people/identification/isolated-organizations.test.ts",
    [
      [
        "an organization is handled with the others again while its events fail",
        "const until = succeeded ? one.until : now + probationMs",
        "const until = one.until",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/people/identification/links/linked-events.ts",
    "test/people/merging.test.ts",
    [
      [
        "a repeated event uses up a link",
        "if (emailHash === undefined || event.isDuplicate) return event",
        "if (emailHash === undefined) return event",
      ],
    ],
    { named: "is not used up by an event" },
  ),
  ...faultsIn(
    "server/src/people/identification/merging/people-lookup.ts",
    "test/people/merging.test.ts",
    [
      [
        "a spelling takes precedence over an imported link",
        "for (const { alias } of foundAliases) aliases.set(keyOf(alias), alias)",
        "for (const { alias } of foundAliases) {\n            if (!aliases.has(keyOf(alias))) aliases.set(keyOf(alias), alias)\n          }",
      ],
    ],
    { named: "an imported link takes precedence" },
  ),
  ...faultsIn("server/src/people/identification/origins/store.ts", "test/people/origins.test.ts", [
    [
      "an address beside another in one record counts as linked",
      "join person_address on person_address.person_hash = hash and is_link\n",
      "join person_address on person_address.person_hash = hash\n",
    ],
  ]),
  ...faultsIn("server/src/people/visitors/timeframe.ts", "src/people/visitors/timeframe.test.ts", [
    [
      "days that have not ended count as an ended window",
      "until: until !== undefined && DateTime.isLessThan(until, asOf) ? until : undefined",
      "until",
    ],
  ]),
  ...faultsIn(
    "server/src/people/person/merge-store.ts",
    "test/people/import.test.ts",
    [
      [
        "a person that a file changes twice is counted twice",
        "count(*) filter (where is_changed and not is_repeated)",
        "count(*) filter (where is_changed)",
      ],
    ],
    { named: "count exactly across batches" },
  ),
  ...faultsIn(
    "server/src/people/person/people.ts",
    "test/people/people.test.ts",
    [
      [
        "a list of people makes nothing old that was remembered about people",
        '      yield* versions.raise("people", organizationId)\n    }, store.transaction)',
        "    }, store.transaction)",
      ],
    ],
    { named: "raises the version of its organization's people" },
  ),
  ...faultsIn(
    "server/src/people/visitors/visitors.ts",
    "test/visitors/ended-periods.test.ts",
    [
      [
        "a list of past days takes no turn and has no time limit",
        "nowScope.until !== undefined ||",
        "",
      ],
      ["a search takes no turn and has no time limit", "q !== undefined ||", ""],
    ],
    { named: "a list of people that takes long" },
  ),
  ...faultsIn("server/src/people/visitors/description-store.ts", "test/visitors/example.test.ts", [
    [
      "the campaign shown is that of the first visit with one",
      "where channel <> 'direct' order by started_at desc, id desc limit 1",
      "where channel <> 'direct' order by started_at, id limit 1",
    ],
  ]),
  ...faultsIn(
    "server/src/people/visitors/search-store.ts",
    "test/visitors/search.test.ts",
    [
      [
        "a search that finds more than 10,000 people leaves some out",
        "limit ${sql.literal(String(fewMax + 1))}`",
        "limit ${sql.literal(String(fewMax))}`",
      ],
    ],
    { named: "a search that finds most people" },
  ),
]
