// Access tokens made by attackers: each gets 401 with the same body, the server contacts no address of the attacker,
// and it queries the database only after it has verified the signature.
import { createSecretKey, generateKeyPairSync, hkdfSync, randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { CompactEncrypt } from "jose"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer, type TestUser, testSecret } from "../support/server.ts"
import {
  encode,
  type Issuer,
  jwkOf,
  makeKey,
  makeToken,
  signatureOf,
  startIssuer,
} from "./issuer.ts"
import { caller } from "./request.ts"

const rsa = makeKey("RS256", "rsa")
const ec = makeKey("ES256", "ec")
const ed = makeKey("EdDSA", "ed")
const bare = { ...makeKey("RS256", "bare"), isBare: true }
const stranger = makeKey("RS256", "rsa")
/** The key of local tokens, derived as described in spec 1.2. */
const localKey = Buffer.from(hkdfSync("sha256", testSecret, "", "footfall/token/v1", 32))

let issuer: Issuer
let server: TestServer
let user: TestUser
let attacker: {
  readonly url: string
  readonly connections: () => number
  readonly close: () => void
}

beforeAll(async () => {
  issuer = await startIssuer([rsa, ec, ed, bare])
  vi.stubEnv("OIDC_ISSUER", issuer.url)
  vi.stubEnv("OIDC_AUDIENCE", "footfall-dashboard")
  server = await startServer({ workers: false })
  user = await server.makeUser("owner")
  let connections = 0
  const listening = createServer((_, response) => {
    response.end(JSON.stringify({ keys: [jwkOf(stranger)] }))
  })
  listening.on("connection", () => connections++)
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve))
  attacker = {
    // A server that listens on a port has an address of this form.
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    connections: () => connections,
    close: () => listening.close(),
  }
})
afterAll(async () => {
  attacker.close()
  await server.close()
  await issuer.close()
})

const now = () => Math.floor(Date.now() / 1000)

const localClaims = () => ({
  sub: user.userId,
  org: server.organizationId,
  role: "owner",
  iss: server.url,
  aud: "footfall",
  iat: now(),
  exp: now() + 300,
})
const externalClaims = () => ({
  iss: issuer.url,
  aud: "footfall-dashboard",
  sub: "someone",
  email: user.email,
  email_verified: true,
  iat: now(),
  exp: now() + 300,
})

/** A valid local token except for the changes. */
const local = (claims: object | string = {}, header: object | string = {}) =>
  makeToken({
    header: typeof header === "string" ? header : { alg: "HS256", typ: "JWT", ...header },
    claims: typeof claims === "string" ? claims : { ...localClaims(), ...claims },
    alg: "HS256",
    key: localKey,
  })
/** A valid external token except for the changes. */
const external = (claims: object | string = {}, header: object | string = {}, key = rsa) =>
  makeToken({
    header: typeof header === "string" ? header : { alg: key.alg, kid: key.kid, ...header },
    claims: typeof claims === "string" ? claims : { ...externalClaims(), ...claims },
    alg: key.alg,
    key: key.privateKey,
  })
/** Signs with HS256, using something public as the secret. */
const confused = (secret: string | Buffer, claims: object = externalClaims(), kid = "rsa") =>
  makeToken({ header: { alg: "HS256", kid }, claims, alg: "HS256", key: secret })
const unsigned = (alg: string, claims: object, signature = "") =>
  `${encode({ alg })}.${encode(claims)}.${signature}`
const withSignature = (token: string, change: (signature: Buffer) => Buffer | string) => {
  const [header, claims, signature] = token.split(".")
  const changed = change(Buffer.from(signature!, "base64url"))
  return `${header}.${claims}.${typeof changed === "string" ? changed : changed.toString("base64url")}`
}
const pem = (key: typeof rsa) => key.publicKey.export({ type: "spki", format: "pem" })
const der = (key: typeof rsa) => key.publicKey.export({ type: "spki", format: "der" })
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" })
const small = generateKeyPairSync("rsa", { modulusLength: 1024 })

/** The last base64url character of 32 bytes has 2 bits that decoders ignore. */
const nonCanonical = (token: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const last = alphabet.indexOf(token.at(-1)!)
  return token.slice(0, -1) + alphabet[last ^ 1]!
}

const signatureFailures: Readonly<Record<string, () => string | Promise<string>>> = {
  "local: alg none": () => unsigned("none", localClaims()),
  "local: alg None": () => unsigned("None", localClaims()),
  "local: alg NONE": () => unsigned("NONE", localClaims()),
  "local: alg empty": () => unsigned("", localClaims()),
  "local: alg none with a signature": () => unsigned("none", localClaims(), "AAAA"),
  "external: alg none": () => unsigned("none", externalClaims()),
  "local: header without alg": () => local({}, encodeLess({ typ: "JWT" })),
  "local: alg a number": () => local({}, { alg: 256 }),
  "local: HS384": () => localWith("HS384"),
  "local: HS512": () => localWith("HS512"),
  "local: alg hs256": () => local({}, { alg: "hs256" }),
  "local: alg RS256 signed with a stranger's key": () =>
    makeToken({
      header: { alg: "RS256" },
      claims: localClaims(),
      alg: "RS256",
      key: stranger.privateKey,
    }),
  "local: signed with the key of the external issuer": () =>
    makeToken({
      header: { alg: "RS256", kid: "rsa" },
      claims: localClaims(),
      alg: "RS256",
      key: rsa.privateKey,
    }),
  "local: weak secret": () => makeWithSecret("secret"),
  "local: empty secret": () => makeWithSecret(""),
  "local: the root secret itself": () => makeWithSecret(testSecret),
  "local: the key of another purpose": () =>
    makeWithSecret(Buffer.from(hkdfSync("sha256", testSecret, "", "footfall/cursor/v1", 32))),
  "external: HS256 with the RSA public key as PEM": () => confused(String(pem(rsa))),
  "external: HS256 with the RSA public key as DER": () => confused(Buffer.from(der(rsa))),
  "external: HS256 with the RSA public key as JWK": () => confused(JSON.stringify(jwkOf(rsa))),
  "external: HS256 with the EC public key as PEM": () =>
    confused(String(pem(ec)), externalClaims(), "ec"),
  "external: HS256 with the Ed25519 public key as DER": () =>
    confused(Buffer.from(der(ed)), externalClaims(), "ed"),
  "local: HS256 with the RSA public key as PEM": () => confused(String(pem(rsa)), localClaims()),
  "external: signed with the local key": () => confused(localKey),
  "external: RS256 named PS256": () => external({}, { alg: "PS256" }),
  "external: PS256 with an RS256 key": () =>
    makeToken({
      header: { alg: "PS256", kid: "rsa" },
      claims: externalClaims(),
      alg: "PS256",
      key: rsa.privateKey,
    }),
  "external: ES256 with the Ed25519 key": () => external({}, { alg: "ES256", kid: "ed" }, ed),
  "external: EdDSA with the EC key": () => external({}, { alg: "EdDSA", kid: "ec" }, ec),
  "external: ES384": () => external({}, { alg: "ES384", kid: "ec" }, ec),
  "external: RS512": () =>
    makeToken({
      header: { alg: "RS512", kid: "rsa" },
      claims: externalClaims(),
      alg: "RS512",
      key: rsa.privateKey,
    }),
  "external: wrong curve": () =>
    makeToken({
      header: { alg: "ES256", kid: "ec" },
      claims: externalClaims(),
      alg: "ES256",
      key: p384.privateKey,
    }),
  "external: a small stranger's key": () =>
    makeToken({
      header: { alg: "RS256", kid: "rsa" },
      claims: externalClaims(),
      alg: "RS256",
      key: small.privateKey,
    }),
  "external: RS512 with a key that may sign anything": () =>
    makeToken({
      header: { alg: "RS512", kid: "bare" },
      claims: externalClaims(),
      alg: "RS512",
      key: bare.privateKey,
    }),
  "external: a stranger's key under a known kid": () => external({}, {}, stranger),
  "external: embedded jwk": () => external({}, { jwk: jwkOf(stranger) }, stranger),
  "external: jku to the attacker": () =>
    external({}, { jku: `${attacker.url}/keys`, kid: "x" }, stranger),
  "external: x5u to the attacker": () => external({}, { x5u: `${attacker.url}/chain` }, stranger),
  "external: x5c of the attacker": () =>
    external({}, { x5c: [Buffer.from(der(stranger)).toString("base64")] }, stranger),
  "local: jku to the attacker": () =>
    makeToken({
      header: { alg: "RS256", jku: `${attacker.url}/keys`, kid: "rsa" },
      claims: localClaims(),
      alg: "RS256",
      key: stranger.privateKey,
    }),
  "external: kid unknown": () => external({}, { kid: "unknown" }, stranger),
  "external: kid a path": () => external({}, { kid: "../../../../dev/null" }, stranger),
  "external: kid an SQL text": () => external({}, { kid: "x' union select 'key" }, stranger),
  "external: kid a list": () => external({}, { kid: ["rsa"] }),
  "external: kid null": () => external({}, { kid: null }),
  "local: signature cut by a byte": () => withSignature(local(), (s) => s.subarray(0, -1)),
  "local: signature longer by a byte": () =>
    withSignature(local(), (s) => Buffer.concat([s, Buffer.of(0)])),
  "local: signature empty": () => withSignature(local(), () => ""),
  "local: signature of zeros": () => withSignature(local(), () => Buffer.alloc(32)),
  "local: one bit of the signature": () =>
    withSignature(local(), (s) => (s.writeUInt8(s[0]! ^ 1), s)),
  "local: signature padded": () => `${local()}=`,
  "local: signature in other base64url": () => nonCanonical(local()),
  "local: claims changed after signing": () => {
    const [header, , signature] = local().split(".")
    return `${header}.${encode({ ...localClaims(), role: "admin" })}.${signature}`
  },
  "external: ECDSA with r and s of zero": () =>
    withSignature(external({}, {}, ec), () => Buffer.alloc(64)),
  "external: ECDSA in DER": () =>
    withSignature(external({}, {}, ec), (s) =>
      Buffer.concat([
        Buffer.from([0x30, 68, 2, 32]),
        s.subarray(0, 32),
        Buffer.from([2, 32]),
        s.subarray(32),
      ]),
    ),
  "external: EdDSA of zeros": () => withSignature(external({}, {}, ed), () => Buffer.alloc(64)),
  "local: one dot": () => local().split(".").slice(0, 2).join("."),
  "local: no dot": () => local().replaceAll(".", ""),
  "local: three dots": () => `${local()}.`,
  "local: four dots": () => `${local()}.x.y`,
  "local: leading dot": () => `.${local()}`,
  "local: a blank inside": () => local().replace(".", ". "),
  "local: a header that is not JSON": () => local({}, "not json"),
  "local: a header that is a list": () => local({}, "[]"),
  "local: a header that names alg twice": () => local({}, '{"alg":"none","alg":"HS256"}'),
  "local: crit unknown": () => local({}, { crit: ["exp2"], exp2: 1 }),
  "local: crit empty": () => local({}, { crit: [] }),
  "local: b64 false": () => local({}, { b64: false, crit: ["b64"] }),
  "local: b64 true": () => local({}, { b64: true }),
  "local: typ of a logout token": () => local({}, { typ: "logout+jwt" }),
  "local: typ of an id token": () => local({}, { typ: "id_token" }),
  "local: 9 KiB": () => local({ filling: "x".repeat(9 * 1024) }),
  "an encrypted token": () =>
    new CompactEncrypt(Buffer.from(JSON.stringify(localClaims())))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(createSecretKey(localKey)),
  "a token inside a token": () => local(local(), { cty: "JWT" }),
  "an API key": () => server.apiKey,
  "a word": () => "undefined",
}

/** Correctly signed, with wrong claims. */
const claimFailures: Readonly<Record<string, () => string>> = {
  "local: exp past": () => local({ exp: now() - 31 }),
  "local: exp missing": () => local({ exp: undefined }),
  "local: exp a text": () => local({ exp: String(now() + 300) }),
  "local: exp 1e300": () =>
    local(JSON.stringify(localClaims()).replace(/"exp":\d+/, '"exp":1e300')),
  "local: exp negative": () => local({ exp: -1 }),
  "local: exp null": () => local({ exp: null }),
  "local: nbf future": () => local({ nbf: now() + 60 }),
  "local: nbf a text": () => local({ nbf: "0" }),
  "local: iat future": () => local({ iat: now() + 60 }),
  "local: iat missing": () => local({ iat: undefined }),
  "local: iss missing": () => local({ iss: undefined }),
  "local: iss another": () => local({ iss: "https://other.example" }),
  "local: iss with a slash": () => local({ iss: `${server.url}/` }),
  "local: iss a list": () => local({ iss: [server.url] }),
  "local: iss of the external issuer": () => local({ iss: issuer.url }),
  "local: aud missing": () => local({ aud: undefined }),
  "local: aud another": () => local({ aud: "other" }),
  "local: aud a list without us": () => local({ aud: ["other"] }),
  "local: aud null": () => local({ aud: null }),
  "local: sub missing": () => local({ sub: undefined }),
  "local: sub not an id": () => local({ sub: "owner" }),
  "local: sub of an unknown user": () => local({ sub: randomUUID() }),
  "local: org missing": () => local({ org: undefined }),
  "local: org not an id": () => local({ org: "' or 1=1 --" }),
  "local: role missing": () => local({ role: undefined }),
  "local: role unknown": () => local({ role: "god" }),
  "local: a claim twice": () =>
    local(JSON.stringify(localClaims()).replace("{", `{"sub":"${randomUUID()}",`)),
  "local: a claim twice by an escape": () =>
    local(JSON.stringify(localClaims()).replace("{", `{"\\u0073ub":"${randomUUID()}",`)),
  "local: claims that are a list": () => local("[]"),
  "local: claims that are not JSON": () => local("claims"),
  "local: claims in bad UTF-8": () => {
    const input = `${encode({ alg: "HS256" })}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}`
    return `${input}.${signatureOf("HS256", localKey, input).toString("base64url")}`
  },
  "external: iss another": () => external({ iss: "https://other.example" }),
  "external: iss local": () => external({ iss: server.url }),
  "external: aud of local tokens": () => external({ aud: "footfall" }),
  "external: sub missing": () => external({ sub: undefined }),
  "external: email not verified": () => external({ email_verified: false }),
  "external: email verified missing": () => external({ email_verified: undefined }),
  "external: exp past": () => external({ exp: now() - 31 }),
  "external: exp missing": () => external({ exp: undefined }),
  "external: crit unknown": () => external({}, { crit: ["x"] }),
  "external: typ of a logout token": () => external({}, { typ: "logout+jwt" }),
  "external: 9 KiB": () => external({ filling: "x".repeat(9 * 1024) }),
}

const localWith = (alg: string) =>
  makeToken({ header: { alg }, claims: localClaims(), alg, key: localKey })
const encodeLess = (header: object) => JSON.stringify(header)
const makeWithSecret = (secret: string | Buffer) =>
  makeToken({
    header: { alg: "HS256", typ: "JWT" },
    claims: localClaims(),
    alg: "HS256",
    // Node accepts an empty secret only as a key object.
    key: createSecretKey(Buffer.from(secret)),
  })

const me = (token: string) => caller(server)("GET /v1/auth/me", undefined, { token })

const expectRefused = async (token: string) => {
  const { body, headers, status } = await me(token)
  expect(status).toBe(401)
  expect(body.error).toEqual({
    code: "AUTHENTICATION_ERROR",
    message:
      "Missing or invalid access token. Send a valid token in the Authorization header, as a Bearer token.",
  })
  expect(headers.get("www-authenticate")).toBe("Bearer")
}

it("the tokens these are made from are valid, so it is the change that is rejected", async () => {
  for (const token of [
    local(),
    external(),
    external({}, {}, ec),
    external({}, {}, ed),
    external({}, {}, bare),
  ]) {
    expect((await me(token)).status).toBe(200)
  }
  expect((await me(local({ exp: now() - 25, nbf: now() + 25, iat: now() + 25 }))).status).toBe(200)
  expect((await me(local({ filling: "x".repeat(5 * 1024) }))).status).toBe(200)
})

it("there are at least 60 of them", () => {
  expect(Object.keys({ ...signatureFailures, ...claimFailures }).length).toBeGreaterThanOrEqual(60)
})

describe("is 401 without a statement:", () => {
  let locking: pg.Client
  beforeAll(async () => {
    // Reads the keys once first. After that, queries for a user wait until the test has failed.
    await me(external())
    locking = new pg.Client(server.databaseUrl)
    await locking.connect()
    await locking.query("begin")
    await locking.query("lock table user_account, member, organization in access exclusive mode")
  })
  afterAll(async () => {
    await locking.query("rollback")
    await locking.end()
  })

  it.each(Object.entries(signatureFailures))("%s", async (_, make) => {
    await expectRefused(await make())
  })
})

describe("is 401:", () => {
  it.each(Object.entries(claimFailures))("%s", async (_, make) => {
    await expectRefused(make())
  })

  it("org of an organization the user is not in", async () => {
    const { organizationId } = await server.makeOrganization()

    await expectRefused(local({ org: organizationId }))
  })

  it("a valid token with anything around it except spaces before it", async () => {
    const ask = async (authorization: string) =>
      (await caller(server)("GET /v1/auth/me", undefined, { headers: { authorization } })).status

    expect(await ask(`Bearer ${local()}`)).toBe(200)
    expect(await ask(`bearer ${local()}`)).toBe(200)
    for (const text of [
      local(),
      `Bearer${local()}`,
      `Bearer ${local()},`,
      `Bearer ${local()} x`,
      `Token ${local()}`,
      `Bearer "${local()}"`,
    ]) {
      expect(await ask(text)).toBe(401)
    }
  })
})

it("no attacker's address received a request", () => {
  expect(attacker.connections()).toBe(0)
})
