import { Layer } from "effect"
import { Arrivals } from "./arrivals.ts"
import { Collect } from "./collect.ts"

export const VisitServices = Layer.provideMerge(Collect.layer, Arrivals.layer)
