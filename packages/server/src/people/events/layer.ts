// Wires the events of sessions together.
import { Layer } from "effect"
import { SessionEvents } from "./session-events.ts"
import { SessionEventStore } from "./store.ts"

export { SessionEventHandlers } from "./handlers.ts"

export const SessionEventServices = Layer.provide(SessionEvents.layer, SessionEventStore.layer)
