// The routes of the console. The code of each screen loads when it opens.
import type { QueryClient } from "@tanstack/react-query"
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  retainSearchParams,
  lazyRouteComponent as routerPart,
} from "@tanstack/react-router"
import type { ComponentType } from "react"
import { readScope, type ScopeSearch } from "./frame/scope.tsx"
import { Broken, First, NotFound, Signed } from "./frame/signed.tsx"
import { Waiting } from "./ui/read.tsx"
import {
  readAuditSearch,
  readCompaniesSearch,
  readListSearch,
  readPeopleSearch,
  readRuleSearch,
  readSuppressionSearch,
  readTopicsSearch,
  readWebhookSearch,
} from "./searches.ts"
import { consolePath } from "./session/addresses.ts"
import { session } from "./session/session.ts"

// Loads the code of a screen when it opens. If the server is down, the router would reload the whole page and lose it,
// so this waits for the server instead.

/** How often to check whether the server is back. */
const pollMs = 3_000

const lazyRouteComponent = (
  load: () => Promise<{ readonly default: ComponentType }>,
): ReturnType<typeof routerPart> => routerPart(() => load().catch(() => waitForServer().then(load)))

const waitForServer = async (): Promise<void> => {
  while (!(await session.isServerReachable())) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The screen depends on the time window, so the bar shows the choice. */
    hasWindow?: boolean
    /** The same for the site. */
    hasSite?: boolean
  }
}

interface Context {
  readonly client: QueryClient
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: NotFound })

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyRouteComponent(() => import("./session/invitation.tsx")),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyRouteComponent(() => import("./session/reset.tsx")),
})

const signedIn = createRoute({
  getParentRoute: () => root,
  path: "/signed-in",
  component: lazyRouteComponent(() => import("./session/signed-in.tsx")),
})

/** Everything that needs a signed-in user. Period, comparison, site and suppression carry over between screens, also those without them. */
const signed = createRoute({
  getParentRoute: () => root,
  id: "signed",
  component: Signed,
  validateSearch: readScope,
  search: {
    middlewares: [
      retainSearchParams<ScopeSearch>(["window", "from", "to", "compare", "site", "suppressed"]),
    ],
  },
})

const first = createRoute({
  getParentRoute: () => signed,
  path: "/",
  component: First,
})

const overview = createRoute({
  getParentRoute: () => signed,
  path: "/overview",
  staticData: { hasWindow: true, hasSite: true },
  component: lazyRouteComponent(() => import("./overview/overview.tsx")),
})

const start = createRoute({
  getParentRoute: () => signed,
  path: "/start",
  component: lazyRouteComponent(() => import("./start/start.tsx")),
})

const people = createRoute({
  getParentRoute: () => signed,
  path: "/people",
  staticData: { hasWindow: true, hasSite: true },
  validateSearch: readPeopleSearch,
  component: lazyRouteComponent(() => import("./people/people.tsx")),
})

const person = createRoute({
  getParentRoute: () => people,
  path: "$visitorId",
  component: lazyRouteComponent(() => import("./people/person.tsx")),
})

const newRule = createRoute({
  getParentRoute: () => signed,
  path: "/segments/new",
  staticData: { hasSite: true },
  validateSearch: readRuleSearch,
  component: lazyRouteComponent(() => import("./segments/builder.tsx")),
})

const segment = createRoute({
  getParentRoute: () => signed,
  path: "/segments/$segmentId",
  staticData: { hasSite: true },
  validateSearch: readRuleSearch,
  component: lazyRouteComponent(() => import("./segments/builder.tsx")),
})

const companies = createRoute({
  getParentRoute: () => signed,
  path: "/companies",
  staticData: { hasWindow: true, hasSite: true },
  validateSearch: readCompaniesSearch,
  component: lazyRouteComponent(() => import("./companies/companies.tsx")),
})

const company = createRoute({
  getParentRoute: () => companies,
  path: "$domain",
  component: lazyRouteComponent(() => import("./companies/company.tsx")),
})

const pixels = createRoute({
  getParentRoute: () => signed,
  path: "/pixels",
  component: lazyRouteComponent(() => import("./pixels/pixels.tsx")),
})

const pixel = createRoute({
  getParentRoute: () => pixels,
  path: "$pixelId",
  component: lazyRouteComponent(() => import("./pixels/pixel.tsx")),
})

const inbounds = createRoute({
  getParentRoute: () => signed,
  path: "/pixels/inbound",
  component: lazyRouteComponent(() => import("./inbound/inbounds.tsx")),
})

const inbound = createRoute({
  getParentRoute: () => signed,
  path: "/pixels/inbound/$inboundId",
  component: lazyRouteComponent(() => import("./inbound/inbound.tsx")),
})

const webhooks = createRoute({
  getParentRoute: () => signed,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhooks/webhooks.tsx")),
})

const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: "$webhookId",
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import("./webhooks/webhook.tsx")),
})

const lists = createRoute({
  getParentRoute: () => signed,
  path: "/lists",
  component: lazyRouteComponent(() => import("./lists/lists.tsx")),
})

const list = createRoute({
  getParentRoute: () => signed,
  path: "/lists/$listId",
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import("./lists/list.tsx")),
})

const suppression = createRoute({
  getParentRoute: () => signed,
  path: "/suppression",
  validateSearch: readSuppressionSearch,
  component: lazyRouteComponent(() => import("./suppression/suppression.tsx")),
})

const suppressionImport = createRoute({
  getParentRoute: () => signed,
  path: "/suppression/import",
  component: lazyRouteComponent(() => import("./suppression/import/import.tsx")),
})

const suppressionSources = createRoute({
  getParentRoute: () => signed,
  path: "/suppression/sources",
  component: lazyRouteComponent(() => import("./suppression/sources/sources.tsx")),
})

const topics = createRoute({
  getParentRoute: () => signed,
  path: "/topics",
  validateSearch: readTopicsSearch,
  component: lazyRouteComponent(() => import("./topics/topics.tsx")),
})

const topic = createRoute({
  getParentRoute: () => topics,
  path: "$topicId",
  staticData: { hasWindow: true },
  component: lazyRouteComponent(() => import("./topics/topic.tsx")),
})

const audiences = createRoute({
  getParentRoute: () => signed,
  path: "/audiences",
  component: lazyRouteComponent(() => import("./audiences/audiences.tsx")),
})

const audience = createRoute({
  getParentRoute: () => audiences,
  path: "$audienceId",
  component: lazyRouteComponent(() => import("./audiences/audience.tsx")),
})

const run = createRoute({
  getParentRoute: () => signed,
  path: "/audiences/$audienceId/runs/$runId",
  component: lazyRouteComponent(() => import("./audiences/runs/run.tsx")),
})

const destination = createRoute({
  getParentRoute: () => signed,
  path: "/audiences/$audienceId/destinations/$destinationId",
  component: lazyRouteComponent(() => import("./audiences/destinations/destination.tsx")),
})

const delivery = createRoute({
  getParentRoute: () => signed,
  path: "/audiences/$audienceId/deliveries/$deliveryId",
  component: lazyRouteComponent(() => import("./audiences/destinations/delivery.tsx")),
})

const connectedAccounts = createRoute({
  getParentRoute: () => signed,
  path: "/connected-accounts",
  component: lazyRouteComponent(() => import("./audiences/accounts.tsx")),
})

const settings = createRoute({
  getParentRoute: () => signed,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/settings.tsx")),
})

const members = createRoute({
  getParentRoute: () => settings,
  path: "members",
  component: lazyRouteComponent(() => import("./settings/members.tsx")),
})

const keys = createRoute({
  getParentRoute: () => settings,
  path: "keys",
  component: lazyRouteComponent(() => import("./settings/keys.tsx")),
})

const account = createRoute({
  getParentRoute: () => settings,
  path: "account",
  component: lazyRouteComponent(() => import("./settings/account.tsx")),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: "audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("./settings/audit.tsx")),
})

const erasures = createRoute({
  getParentRoute: () => settings,
  path: "erasures",
  component: lazyRouteComponent(() => import("./settings/erasures.tsx")),
})

const imports = createRoute({
  getParentRoute: () => settings,
  path: "imports",
  component: lazyRouteComponent(() => import("./settings/imports.tsx")),
})

const device = createRoute({
  getParentRoute: () => signed,
  path: "/device",
  component: lazyRouteComponent(() => import("./session/device.tsx")),
})

const organization = createRoute({
  getParentRoute: () => settings,
  path: "/",
  component: lazyRouteComponent(() => import("./settings/organization.tsx")),
})

/** Any other address, for someone who is signed in. */
const unknown = createRoute({
  getParentRoute: () => signed,
  path: "$",
  component: NotFound,
})

const tree = root.addChildren([
  invitation,
  reset,
  signedIn,
  signed.addChildren([
    first,
    overview,
    start,
    people.addChildren([person]),
    newRule,
    segment,
    companies.addChildren([company]),
    pixels.addChildren([pixel]),
    inbounds,
    inbound,
    webhooks.addChildren([webhook]),
    lists,
    list,
    suppression,
    suppressionImport,
    suppressionSources,
    topics.addChildren([topic]),
    audiences.addChildren([audience]),
    run,
    destination,
    delivery,
    connectedAccounts,
    settings.addChildren([organization, members, keys, audit, erasures, imports, account]),
    device,
    unknown,
  ]),
])

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: consolePath,
    context: { client },
    defaultErrorComponent: Broken,
    // The rail already marks the new screen, so the old one goes even if the new one never loads.
    defaultPendingComponent: Waiting,
    defaultPendingMs: 300,
    defaultPreload: "intent",
    trailingSlash: "never",
  })
