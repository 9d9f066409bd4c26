// Wires the visitors room together. A later room implements SegmentUse.
import { Layer } from "effect"
import { Activities } from "./companies/activities.ts"
import { ActivityStore } from "./companies/activity-store.ts"
import { Companies } from "./companies/companies.ts"
import { CompaniesHandlers } from "./companies/handlers.ts"
import { CompanyStore } from "./companies/store.ts"
import { Coverages } from "./coverages/coverages.ts"
import { CoverageStore } from "./coverages/store.ts"
import { VisitorsHandlers } from "./handlers.ts"
import { Breakdowns } from "./overview/breakdowns.ts"
import { BreakdownStore } from "./overview/breakdown-store.ts"
import { OverviewHandlers } from "./overview/handlers.ts"
import { Overviews, OverviewWorker } from "./overview/overview.ts"
import { OverviewStore } from "./overview/store.ts"
import { RuleReader } from "./query/rule-reader.ts"
import { RuleTurns } from "./query/rule-turns.ts"
import { VisitorQueries } from "./visitor-queries.ts"
import { SegmentsHandlers } from "./segments/handlers.ts"
import { Segments } from "./segments/segments.ts"
import { SegmentStore } from "./segments/store.ts"
import { SessionsHandlers } from "./sessions/handlers.ts"
import { Sessions } from "./sessions/sessions.ts"
import { SessionStore } from "./sessions/store.ts"
import { SeenOnSitesLayer } from "./sites-store.ts"
import { VisitorStore } from "./store.ts"
import { Visitors } from "./visitors.ts"

/** The stores of this room. */
export const VisitorStores = Layer.mergeAll(
  ActivityStore.layer,
  BreakdownStore.layer,
  CompanyStore.layer,
  CoverageStore.layer,
  OverviewStore.layer,
  SegmentStore.layer,
  SessionStore.layer,
  VisitorStore.layer,
)

export const VisitorServices = Layer.mergeAll(
  Activities.layer,
  Breakdowns.layer,
  Companies.layer,
  Overviews.layer,
  Sessions.layer,
  SeenOnSitesLayer,
  Visitors.layer,
  Layer.provideMerge(VisitorQueries.layer, Segments.layer),
).pipe(Layer.provideMerge(Layer.mergeAll(Coverages.layer, RuleReader.layer, RuleTurns.layer)))

/** The endpoints of this room. */
export const VisitorHandlers = Layer.mergeAll(
  CompaniesHandlers,
  OverviewHandlers,
  SegmentsHandlers,
  SessionsHandlers,
  VisitorsHandlers,
)

/** The background worker of this room. */
export const VisitorWorkers = OverviewWorker
