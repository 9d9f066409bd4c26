// Wires the room of lists together.

import { ListsHandlers } from "./handlers.ts"
import { Lists } from "./lists.ts"
import { ListStore } from "./store.ts"

export const ListStores = ListStore.layer

export const ListServices = Lists.layer

export const ListHandlers = ListsHandlers
