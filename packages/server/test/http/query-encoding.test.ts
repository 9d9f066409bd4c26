// The query of a request is UTF-8 in percent-encoding (spec 1.4.3), in every operation.
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer, type TestUser } from "../support/server.ts"

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await startServer({ workers: false })
  admin = await server.makeUser("admin")
})
afterAll(() => server.close())

interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }> }
    >
  >
}

/** The addresses of all operations that read, with the names of their query parameters. */
const addresses = async (): Promise<ReadonlyArray<readonly [string, ReadonlyArray<string>]>> => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
  return Object.entries(document.paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? [])
      .filter((one) => one.in === "query")
      .map(({ name }) => name)
    return names.length === 0
      ? []
      : [[path.replaceAll(/\{[^}]*\}/g, server.pixelId), names] as const]
  })
}

const ask = async (path: string) => {
  const withKey = await server.get(path)
  if (withKey.status !== 401 && withKey.status !== 403) return withKey
  return fetch(server.url + path, { headers: { authorization: `Bearer ${admin.accessToken}` } })
}

it.each(["%FF", "%C3%28", "%ED%A0%80", "%E0%A4%A", "%zz", "%"])(
  "%s in any parameter of any operation is 400 and names the parameter",
  async (text) => {
    const all = await addresses()
    for (const [path, names] of all) {
      for (const name of names) {
        const answer = await ask(`${path}?${name}=a${text}`)
        expect([path, name, answer.status]).toEqual([path, name, 400])
        expect(await answer.json()).toMatchObject({
          error: { code: "VALIDATION_ERROR", details: { issues: [{ path: `/query/${name}` }] } },
        })
      }
    }
    expect(all.length).toBeGreaterThan(20)
  },
)

it("valid UTF-8 is read, in a name too, and a name that can't be decoded is 400", async () => {
  expect((await ask("/v1/data/suppression-rules?q=%C3%BC%20%E2%82%AC+%25")).status).toBe(200)
  expect((await ask("/v1/data/suppression-rules?%FF=1")).status).toBe(400)
  expect((await ask("/v1/data/suppression-rules?")).status).toBe(200)
})
