// The guard on real sockets: a rejected address gets no connection at all, by Node's own count and by a listener that
// waits for one (spec 1.9).
import { readFileSync } from "node:fs"
import { Socket } from "node:net"
import * as tls from "node:tls"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { ipv4Spellings, ipv6Spellings, refusedIpv4, refusedIpv6, samples } from "./addresses.ts"
import {
  check,
  lookupOf,
  type Names,
  readPage,
  refusalOf,
  textOf,
  waysOut,
} from "./outbound-layer.ts"
import { countConnections, startWebServer, type WebServer } from "./web-server.ts"

let site: WebServer
beforeAll(async () => {
  site = await startWebServer((request, response) => {
    response.setHeader("alt-svc", `h2="127.0.0.2:${site.port}"`)
    response.setHeader("refresh", "0; url=/refreshed")
    response.end(`hello from ${request.url}`)
  })
})
afterAll(() => site.close())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const hosts = [
  ...refusedIpv4.flatMap((range) => samples(range).flatMap(ipv4Spellings)),
  ...refusedIpv6.flatMap((range) => samples(range).flatMap(ipv6Spellings)),
]

describe.each(waysOut)("$way:", ({ go, schemes }) => {
  /** The tag of the failure. Undefined if there was a response. */
  const refusal = async (url: string, names: Names = {}): Promise<string | undefined> => {
    const result = await go(url, names)
    return "_tag" in result ? result._tag : undefined
  }
  const text = async (url: string, names: Names = {}): Promise<string> => {
    const result = await go(url, names)
    if ("_tag" in result) throw result
    return Buffer.from(result.body).toString()
  }

  describe("a literal address", () => {
    it(`in a special range is rejected in every spelling with 0 connections`, async () => {
      const before = site.connections()
      const refusals = new Set<string | undefined>()

      const begun = await countConnections(async () => {
        for (const host of hosts) {
          for (const scheme of schemes) {
            refusals.add(await refusal(`${scheme}://${host}:${site.port}/`))
          }
        }
      })

      expect(hosts.length).toBeGreaterThan(864)
      expect([...refusals]).toEqual(["UrlNotAllowed"])
      expect(begun).toBe(0)
      expect(site.connections()).toBe(before)
    })

    it("of loopback is reached in every valid spelling if private addresses are allowed", async () => {
      const before = site.connections()

      const begun = await countConnections(async () => {
        for (const host of ipv4Spellings([127, 0, 0, 1]).slice(0, 12)) {
          expect(await textOf(`http://${host}:${site.port}/`, { isPrivateAllowed: true })).toBe(
            "hello from /",
          )
        }
      })

      expect(begun).toBe(12)
      expect(site.connections() - before).toBe(12)
    })
  })

  describe("a name", () => {
    const address = (name: string) => `${schemes[0]}://${name}:${site.port}/`
    const allowedAddress = (name: string) => `http://${name}:${site.port}/`

    it.each([
      ["loopback", ["127.0.0.1"]],
      ["loopback, IPv6", ["::1"]],
      ["public A and loopback AAAA", ["8.8.8.8", "::1"]],
      [
        "30 addresses, one of them private",
        [...Array.from({ length: 29 }, (_, n) => `8.8.8.${n}`), "10.0.0.1"],
      ],
      ["mapped loopback", ["::ffff:127.0.0.1"]],
      ["NAT64 of metadata", ["64:ff9b::169.254.169.254"]],
      ["link-local with a zone", ["fe80::1%lo"]],
    ])("that resolves to %s is rejected with 0 connections", async (_, addresses) => {
      const begun = await countConnections(async () => {
        expect(
          await refusal(address("tidewater.example"), {
            lookup: lookupOf({ "tidewater.example": addresses }),
          }),
        ).toBe("UrlNotAllowed")
      })

      expect(begun).toBe(0)
    })

    it.each(["localhost", "localhost.", "ip6-localhost"])(
      "that the operating system resolves to this machine is rejected: %s",
      async (name) => {
        const begun = await countConnections(async () => {
          expect(await refusal(address(name))).toMatch(/UrlNotAllowed|NameNotResolved/)
        })

        expect(begun).toBe(0)
      },
    )

    it("without an address is not resolved", async () => {
      expect(await refusal(address("nowhere.example"), { lookup: lookupOf({}) })).toBe(
        "NameNotResolved",
      )
    })

    it("is resolved once per attempt, and exactly the checked addresses are dialed", async () => {
      const lookups: Array<string> = []
      const answers = [["127.0.0.1"], ["127.0.0.2"]]

      const answer = await text(allowedAddress("tidewater.example"), {
        lookup: (name) => {
          lookups.push(name)
          return lookupOf({ [name]: answers[lookups.length - 1] ?? [] })(name)
        },
        isPrivateAllowed: true,
      })

      expect(answer).toBe("hello from /")
      expect(lookups).toEqual(["tidewater.example"])
      expect(site.requests.at(-1)?.host).toBe(`tidewater.example:${site.port}`)
    })

    it("that became private since the last attempt is rejected, without revealing the address", async () => {
      const turned = await go(address("tidewater.example"), {
        lookup: lookupOf({ "tidewater.example": ["169.254.169.254"] }),
      })

      expect(turned).toMatchObject({ _tag: "UrlNotAllowed", reason: "address" })
      expect(JSON.stringify(turned) + String(turned)).not.toContain("169.254")
    })

    it("with several addresses is reached at the one that responds", async () => {
      const lookup = lookupOf({ "tidewater.example": ["127.0.0.2", "127.0.0.1"] })

      expect(
        await text(allowedAddress("tidewater.example"), { lookup, isPrivateAllowed: true }),
      ).toBe("hello from /")
    })

    it("is dropped before a byte is sent if the connection is to another address after all", async () => {
      const before = site.requests.length
      // `remoteAddress` reads it; the property itself cannot be replaced.
      const peer = Socket.prototype as unknown as { _getpeername(): { address: string } }
      vi.spyOn(peer, "_getpeername").mockReturnValue({ address: "127.0.0.9" })
      const lookup = lookupOf({ "tidewater.example": ["127.0.0.1"] })

      expect(
        await refusal(allowedAddress("tidewater.example"), { lookup, isPrivateAllowed: true }),
      ).toBe("UrlNotAllowed")
      expect(site.requests.length).toBe(before)
    })
  })
})

describe("a redirect", () => {
  let hops: WebServer
  beforeAll(async () => {
    hops = await startWebServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://hops.example")
      const left = Number(url.searchParams.get("left") ?? 0)
      const to = url.searchParams.get("to")
      const status = Number(url.searchParams.get("status") ?? 302)
      if (to !== null) response.writeHead(status, { location: to }).end("moved")
      else if (left > 0) response.writeHead(301, { location: `/?left=${left - 1}` }).end("moved")
      else response.end("arrived")
    })
  })
  afterAll(() => hops.close())

  const allowed = { isPrivateAllowed: true }
  const url = (query: string) => `http://127.0.0.1:${hops.port}/?${query}`

  it("is returned as the response by default", async () => {
    expect(await readPage(url("left=1"), allowed)).toMatchObject({
      status: 301,
      headers: { location: "/?left=0" },
    })
  })

  it("is followed three times and not a fourth", async () => {
    const reading = { ...allowed, redirectsMax: 3 }

    expect(await textOf(url("left=2"), reading)).toBe("arrived")
    expect(await textOf(url("left=3"), reading)).toBe("arrived")
    expect(await readPage(url("left=4"), reading)).toMatchObject({
      _tag: "RedirectedTooOften",
      redirectsMax: 3,
    })
  })

  it.each([301, 302, 303, 307, 308])("with the status %i is followed", async (status) => {
    expect(await textOf(url(`status=${status}&to=/`), { ...allowed, redirectsMax: 3 })).toBe(
      "arrived",
    )
  })

  it.each([200, 201, 300, 304])("is not what a Location with the status %i is", async (status) => {
    expect(
      await readPage(url(`status=${status}&to=/`), { ...allowed, redirectsMax: 3 }),
    ).toMatchObject({ status })
  })

  it("returns where the page was found", async () => {
    expect(await readPage(url("left=1"), { ...allowed, redirectsMax: 3 })).toMatchObject({
      url: url("left=0"),
    })
  })

  it.each(["file:///etc/passwd", "ftp://127.0.0.1/", "http://user:password@127.0.0.1/"])(
    "to %s is rejected in every mode",
    async (to) => {
      expect(
        await refusalOf(url(`to=${encodeURIComponent(to)}`), { ...allowed, redirectsMax: 3 }),
      ).toBe("UrlNotAllowed")
    },
  )

  it("by Refresh, Alt-Svc or an unreadable Location is not followed", async () => {
    const before = site.requests.length
    const answer = await readPage(`http://127.0.0.1:${site.port}/`, { ...allowed, redirectsMax: 3 })
    const unreadable = await readPage(url("to=http%3A%2F%2F%5B%3A%3A1"), {
      ...allowed,
      redirectsMax: 3,
    })

    expect(answer).toMatchObject({ status: 200 })
    expect(site.requests.length - before).toBe(1)
    expect(unreadable).toMatchObject({ status: 302 })
  })
})

it.each(waysOut)("$way: proxies from the environment are not used", async ({ go }) => {
  const proxy = await startWebServer((_, response) => response.end("by proxy"))
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"]) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1")

  const answer = await go(`http://127.0.0.1:${site.port}/`, { isPrivateAllowed: true })
  expect(answer).toMatchObject({ status: 200, body: Buffer.from("hello from /") })
  expect(proxy.connections()).toBe(0)
  await proxy.close()
})

describe.each(waysOut)("$way over TLS:", ({ go }) => {
  const file = (name: string) =>
    readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8")
  const key = file("key")
  const lookup = lookupOf({
    "tidewater.example": ["127.0.0.1"],
    "tidewater.example.": ["127.0.0.1"],
    "other.example": ["127.0.0.1"],
  })
  const serverNames: Array<string> = []
  const trusted = tls.getCACertificates()
  const startSecure = (certificate: string, options: tls.TlsOptions = {}) =>
    startWebServer((_, response) => response.end("secret"), {
      tls: {
        key,
        cert: file(certificate),
        SNICallback: (name, done) => {
          serverNames.push(name)
          done(null)
        },
        ...options,
      },
    })
  const read = async (server: WebServer, name = "tidewater.example") => {
    const result = await go(`https://${name}:${server.port}/`, { lookup, isPrivateAllowed: true })
    await server.close()
    return "_tag" in result ? result : Buffer.from(result.body).toString()
  }
  const trustTestCertificates = () =>
    tls.setDefaultCACertificates([...trusted, file("valid"), file("expired")])
  afterEach(() => tls.setDefaultCACertificates(trusted))

  it("the hostname is the server name, and its certificate must be valid", async () => {
    trustTestCertificates()

    expect(await read(await startSecure("valid"))).toBe("secret")
    expect(await read(await startSecure("valid"), "tidewater.example.")).toBe("secret")
    expect(serverNames).toEqual(["tidewater.example", "tidewater.example"])
  })

  it("an untrusted certificate is rejected, whatever the environment says", async () => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    // Node writes this warning to the standard error of the run.
    vi.spyOn(process, "emitWarning").mockReturnValue()

    expect(await read(await startSecure("valid"))).toMatchObject({
      _tag: "TlsFailed",
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    })
  })

  it("a certificate for another host is rejected", async () => {
    trustTestCertificates()

    expect(await read(await startSecure("valid"), "other.example")).toMatchObject({
      _tag: "TlsFailed",
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    })
  })

  it("an expired certificate is refused", async () => {
    trustTestCertificates()

    expect(await read(await startSecure("expired"))).toMatchObject({
      _tag: "TlsFailed",
      code: "CERT_HAS_EXPIRED",
    })
  })

  it("TLS 1.0 is refused", async () => {
    trustTestCertificates()
    const old = await startSecure("valid", {
      minVersion: "TLSv1",
      maxVersion: "TLSv1",
      ciphers: "DEFAULT:@SECLEVEL=0",
    })

    expect(await read(old)).toMatchObject({ _tag: "TlsFailed" })
  })
})

describe("the check that sends nothing", () => {
  const namesOf = (addresses: ReadonlyArray<string>): Names => ({
    lookup: lookupOf({ "tidewater.example": addresses }),
  })
  const url = "https://tidewater.example/hook"

  it("rejects every literal address in a special range, in every spelling, with 0 connections", async () => {
    const refusals = new Set<string | undefined>()

    const begun = await countConnections(async () => {
      for (const host of hosts) refusals.add((await check(`https://${host}/`))?._tag)
    })

    expect([...refusals]).toEqual(["UrlNotAllowed"])
    expect(begun).toBe(0)
  })

  it("rejects a name with one rejected address, a name without an address, and an invalid URL", async () => {
    expect(await check(url, namesOf(["8.8.8.8"]))).toBeUndefined()
    expect(await check(url, namesOf(["8.8.8.8", "10.0.0.1"]))).toMatchObject({
      _tag: "UrlNotAllowed",
      reason: "address",
    })
    expect(await check(url, namesOf([]))).toMatchObject({ _tag: "NameNotResolved" })
    expect(await check("http://tidewater.example/", namesOf(["8.8.8.8"]))).toMatchObject({
      reason: "scheme",
    })
    expect(await check("https://user:pw@tidewater.example/", namesOf(["8.8.8.8"]))).toMatchObject({
      reason: "user_info",
    })
  })

  it("allows private addresses and http: where the operator does, but a name still needs an address", async () => {
    const allowed = { isPrivateAllowed: true }

    expect(await check("http://127.0.0.1:1/", allowed)).toBeUndefined()
    expect(await check(url, { ...namesOf(["10.0.0.1"]), ...allowed })).toBeUndefined()
    expect(await check(url, { ...namesOf([]), ...allowed })).toMatchObject({
      _tag: "NameNotResolved",
    })
    expect(await check("file:///etc/passwd", allowed)).toMatchObject({ reason: "scheme" })
  })
})
