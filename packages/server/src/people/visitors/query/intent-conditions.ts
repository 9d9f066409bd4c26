// Conditions on what people read about elsewhere: the topics and scores of their newest data date, which a worker keeps for
// every visitor (spec 3.3, 2.18). A company has those of its people.
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type Condition, lookUp } from "./condition.ts"
import type { PredicateOf } from "./predicate.ts"
import { type RuleScope, visitorId } from "./rule-scope.ts"
import { onSites } from "../sites-store.ts"
import { not, numberTest } from "./tests.ts"

export const topicsCondition = (predicate: PredicateOf<"numbers">, scope: RuleScope): Condition => {
  switch (predicate.op) {
    case "any_in":
      return lookUp(hasTopic(predicate.value, scope))
    case "none_in":
      return lookUp(not(hasTopic(predicate.value, scope)))
    case "count_gte":
      return lookUp(sqlText`(
      select count(distinct topic.topic_id) from ${topics(scope)}
      ) >= ${predicate.value}::float8`)
  }
}

/** Missing for someone without a score. */
export const intentScoreCondition = (
  predicate: PredicateOf<"number">,
  scope: RuleScope,
): Condition => {
  const { of } = predicate
  const ofTopic = of === undefined ? SqlText.of("") : sqlText`and ${isOneOf([Number(of)])}`
  const highest = sqlText`(select max(topic.score) from ${topics(scope)} ${ofTopic})`
  return lookUp(numberTest(highest, predicate))
}

const hasTopic = (wanted: ReadonlyArray<number>, scope: RuleScope): SqlText => sqlText`exists (
      select from ${topics(scope)} and ${isOneOf(wanted)})`

const topicIdMax = 2_147_483_647

/** A number that can't be the id of a topic belongs to no one. */
const isOneOf = (wanted: ReadonlyArray<number>): SqlText => {
  const ids = wanted.filter((id) => Number.isInteger(id) && Math.abs(id) <= topicIdMax)
  return sqlText`topic.topic_id = any (${ids.map(String)}::text[]::integer[])`
}

/** The `from` and `where` of the subject's topics, to which conditions are added. */
const topics = (scope: RuleScope): SqlText => {
  const organizationId = sqlText`${scope.organizationId}::uuid`
  const isCurrent = sqlText`topic.source_id = any ((
        select basis.sources from visitor_topic_basis as basis
        where basis.organization_id = ${organizationId}
      )::integer[])`
  if (scope.subject !== "companies") {
    return sqlText`visitor_topic as topic
        where topic.organization_id = ${organizationId} and topic.visitor_id = ${visitorId(scope)}
          and ${isCurrent}`
  }
  return sqlText`visitor as person
        join visitor_topic as topic on topic.organization_id = person.organization_id
          and topic.visitor_id = person.id
        where person.organization_id = ${organizationId} and person.company_key = c.domain
          and not person.held_back ${ofSessions(scope)} and ${isCurrent}`
}

/** The people of the sessions that count. */
const ofSessions = ({ pixelId, sessions }: RuleScope): SqlText => {
  if (sessions === "anonymous") return SqlText.of("and false")
  const counted = SqlText.of(sessions === "counted" ? "and not person.suppressed" : "")
  if (pixelId === undefined) return counted
  return sqlText`${counted} and exists (
            select from visitor_pixel as place
            where place.organization_id = person.organization_id
              and place.visitor_id = person.id ${onSites("place.pixel_id", pixelId)})`
}
