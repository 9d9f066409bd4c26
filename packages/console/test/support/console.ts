// Pages of the console, and a client that prepares test data and checks results.
import { Footfall, NotFoundError, type Pixel, type Visitor } from "@footfall/sdk"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Download,
  type Page,
} from "playwright-core"
import { afterAll, afterEach, beforeAll, inject } from "vitest"
import { firstOf30Days } from "./window.ts"

const found = inject("stage")

/** Undefined only in skipped tests. */
export const stage = found ?? {
  url: "http://127.0.0.1:1",
  apiKey: undefined,
  owner: { email: "", password: "", accessToken: undefined },
  browser: "",
}

export const footfall = new Footfall({
  baseUrl: stage.url,
  apiKey: stage.apiKey,
  accessToken: stage.owner.accessToken,
})

interface ContextOptions {
  readonly width?: number
  readonly theme?: "light" | "dark"
  readonly locale?: string
}

/** Call it first in a `describe`. It closes the contexts at the end. */
export const useBrowser = () => {
  let browser: Browser
  const contexts: Array<BrowserContext> = []
  beforeAll(async () => {
    browser = await chromium.connect(stage.browser)
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
  })
  /** A separate browser context without cookies. */
  return async ({
    width = 1280,
    theme = "light",
    locale = "en-US",
  }: ContextOptions = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: theme,
      timezoneId: "America/New_York",
      locale,
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    })
    context.setDefaultTimeout(40_000)
    contexts.push(context)
    return context
  }
}

export interface User {
  readonly email: string
  readonly password: string
}

export const address = (path: string): string => `${stage.url}/console/${path}`

export const fillSignIn = async (page: Page, { email, password }: User): Promise<void> => {
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
}

/** Signs in on a page of the context, and leaves the page open. */
export const signIn = async (
  context: BrowserContext,
  path = "people",
  user: User = stage.owner,
): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(address(path))
  await fillSignIn(page, user)
  // Below 640 pixels the sidebar is a sheet.
  await page.locator("#content").waitFor()
  return page
}

/**
 * Call it after `useBrowser` in a `describe`. It returns a function that loads a page as a user, by
 * default the owner, who signs in once. All tests share one page, because a new context with its
 * sign-in takes three times the processor time of a load. After a test, its routes and listeners
 * are removed; after a failed one, the whole context. Tests that store something in the browser,
 * end the session or go offline use their own context.
 */
export const useSignedIn = (
  newContext: ReturnType<typeof useBrowser>,
  makeUser: () => Promise<User> = () => Promise.resolve(stage.owner),
) => {
  let page: Page | undefined
  afterEach(async ({ task }) => {
    if (page === undefined) return
    if (task.result?.state === "fail") {
      await page.context().close()
      page = undefined
      return
    }
    await page.unrouteAll({ behavior: "ignoreErrors" })
    for (const event of listened) await page.removeAllListeners(event, { behavior: "ignoreErrors" })
  })
  return async (path: string): Promise<Page> => {
    if (page !== undefined) {
      await page.goto(address(path))
      // The next test may only start on a page that has loaded.
      await page.locator("#content").waitFor()
      return page
    }
    page = await signIn(await newContext(), path, await makeUser())
    return page
  }
}

/** Events that tests listen to. */
const listened = ["request", "requestfinished", "response", "dialog"] as const

/** A new member of an organization, by default the demo's, with a password. */
export const newMember = async (
  role: "owner" | "admin" | "member" | "viewer",
  client: Footfall = footfall,
): Promise<User> => {
  const { organization } = await client.auth.me()
  const email = `${role}-${crypto.randomUUID().slice(0, 8)}@footfall.example`
  const { inviteToken } = await client.members.add(organization.id, { email, role })
  if (inviteToken === null) throw new Error("The user already exists")
  const password = "a long enough password"
  await footfall.auth.acceptInvite({ token: inviteToken, password })
  return { email, password }
}

/** Another organization owned by the user, and a client for it. */
export const newOrganization = async (name: string, user: User) => {
  const { accessToken, refreshToken } = await footfall.auth.login(user)
  const asUser = new Footfall({ baseUrl: stage.url, accessToken })
  const slug = `other-${crypto.randomUUID().slice(0, 8)}`
  const organization = await asUser.organizations.create({ name, slug })
  const there = await footfall.auth.refresh({ refreshToken, organizationId: organization.id })
  const client = new Footfall({ baseUrl: stage.url, accessToken: there.accessToken })
  const { secret: apiKey } = await client.apiKeys.create({ name: "Tests" })
  return {
    organization,
    client: new Footfall({ baseUrl: stage.url, accessToken: there.accessToken, apiKey }),
  }
}

/** Through the user menu. */
export const switchTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: /^Organization: / }).click()
  await page.getByRole("button", { name: `Open ${name}` }).click()
  await page.getByRole("button", { name: `Organization: ${name}` }).waitFor()
}

/** The server rejects the token of the page's next call, once. */
export const refuseOnce = (page: Page, at: string): Promise<unknown> =>
  page.route(
    at,
    (route) =>
      route.fulfill({
        status: 401,
        json: { error: { code: "AUTHENTICATION_ERROR", message: "Expired." }, meta: {} },
      }),
    { times: 1 },
  )

/** The oldest pixel. Tests create others and send events to them. */
export const demoPixel = async (): Promise<Pixel> => {
  const pixels = await footfall.pixels.list()
  const [pixel] = pixels.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  if (pixel === undefined) throw new Error("The demo has no pixel")
  return pixel
}

/**
 * A matching person from the demo. Tests only erase people they created, who were seen later than
 * all of these.
 */
export const demoPerson = async (
  fits: (person: Visitor) => boolean = () => true,
): Promise<Visitor> => {
  const { data } = await footfall.visitors.list({ from: firstOf30Days() })
  const person = data.findLast(fits)
  if (person === undefined) throw new Error("No one in the demo matches")
  return person
}

let writeKey: Promise<string> | undefined

interface VisitOptions {
  readonly email: string
  readonly traits?: Readonly<Record<string, unknown>>
  /** Path of the viewed page. */
  readonly path?: string
}

/**
 * Someone views a page of the demo's site and gives an email address. Resolves once the server
 * knows the person.
 */
export const visit = async ({
  email,
  traits = {},
  path = "/pricing",
}: VisitOptions): Promise<Visitor> => {
  const pixel = await demoPixel()
  writeKey ??= footfall.pixels.writeKeys
    .create(pixel.id, { name: "Tests", kind: "server" })
    .then((created) => created.writeKey)
  const anonymousId = crypto.randomUUID()
  const response = await fetch(`${stage.url}/v1/batch`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      writeKey: await writeKey,
      batch: [
        {
          type: "page",
          anonymousId,
          properties: { url: `https://${pixel.domain}${path}` },
        },
        { type: "identify", anonymousId, traits: { email, ...traits } },
      ],
    }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`The visit was rejected: ${JSON.stringify(answer)}`)
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await footfall.visitors.get({ email })
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
    }
    await setTimeout(200)
  }
  throw new Error(`${email} was not identified: ${JSON.stringify(answer)}`)
}

/** Every response at an address is an error with a request id, until the page removes the route. */
export const failing = (page: Page, at: string): Promise<unknown> =>
  page.route(at, (route) =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": failedRequestId },
      json: { error: { code: "INTERNAL_ERROR", message: "The server failed." }, meta: {} },
    }),
  )

export const failedRequestId = "req_00000000000000000000000000"

/** The demo's organization. */
export const organizationId = async (): Promise<string> =>
  (await footfall.auth.me()).organization.id

/** The text of a downloaded file. */
export const contentOf = async (download: Download): Promise<string> =>
  text(await download.createReadStream())
