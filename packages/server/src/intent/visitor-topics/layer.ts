// Wires the topics of visitors together.
import { Layer } from "effect"
import { VisitorNumberStore } from "./people-store.ts"
import { VisitorTopicRowStore } from "./rows-store.ts"
import { VisitorTopicStore } from "./store.ts"
import { TopicsOfVisitorsStore } from "./topics-store.ts"
import { VisitorTopics } from "./visitor-topics.ts"

export { VisitorTopicsWorker } from "./visitor-topics.ts"

export const VisitorTopicStores = Layer.mergeAll(
  TopicsOfVisitorsStore.layer,
  VisitorNumberStore.layer,
  VisitorTopicRowStore.layer,
  VisitorTopicStore.layer,
)

export const VisitorTopicServices = VisitorTopics.layer
