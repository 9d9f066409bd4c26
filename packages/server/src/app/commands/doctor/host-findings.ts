// The doctor's checks of the machine: data directory and secret, disk space, port, public URL, mail
// server, identity provider, company files.
import { Effect, Option } from "effect"
import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { join } from "node:path"
import {
  callbackPath,
  discovered,
  wordsOf,
} from "../../../access/sign-in/external/issuer-client.ts"
import { spoolState } from "../../../collect/inbound/spool/files.ts"
import type { ServerConfig } from "../../config/config.ts"
import type { CompanyFileReport } from "../../../people/identification/resolving/company-file-report.ts"
import {
  readCompanies,
  readExcluded,
} from "../../../people/identification/resolving/company-files.ts"
import { guidePage } from "../../../platform/guide-page.ts"
import { installationProof } from "../../../platform/http/operations.ts"
import { resolverHeaders } from "../../../people/identification/resolving/http-resolver.ts"
import { lookUpName } from "../../../platform/outbound/vetted-addresses.ts"
import { operatorFetch } from "../../../platform/outbound/operator-pool.ts"
import { failureOf } from "../../../platform/outbound/mail/mail.ts"
import { smtpTransport } from "../../../platform/outbound/mail/smtp-transport.ts"
import { secretKeysOf } from "../../../platform/secrets/secrets.ts"
import { failed, type Finding, ok, skipped, warning } from "./finding.ts"

type Config = ServerConfig["Service"]

const mebibyte = 1024 * 1024
/** As long as a server waits. */
const resolverTimeoutMs = 2_000
/** Below the first value anything may fail; below the second it is time to act. */
const roomMin = 100 * mebibyte
const roomSmall = 1024 * mebibyte

export const hostFindings = (config: Config) =>
  Effect.promise(async () => {
    const portCode = await listenCode(config)
    const isRunning =
      portCode === "EADDRINUSE" && (await whoAnswers(listenUrl(config), config)) === "this"
    return Promise.all([
      dataDirectory(config, isRunning),
      secret(config),
      room(config),
      port(config, portCode),
      publicUrl(config, portCode),
      mail(config),
      issuer(config),
      companies(config),
      resolver(config),
      inboundSpool(config),
    ])
  })

/** `isRunning`: a server of this installation answers on the port. */
export const dataDirectory = async (
  { databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">,
  isRunning: boolean,
): Promise<Finding> => {
  const check = "data directory"
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(check, `${dataDir} is readable and writable.`)
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      const missing = `${dataDir} doesn't exist`
      if (Option.isSome(databaseUrl)) {
        return ok(check, `${missing}, and none is needed: the data is in DATABASE_URL.`)
      }
      return isRunning
        ? warning(
            check,
            `${missing}, but the server of this installation is running: it has another one.`,
            "Run the doctor in the server's folder, with its DATA_DIR.",
          )
        : ok(check, `${missing} yet. The first start creates it.`)
    }
    return failed(
      check,
      `${dataDir} is not readable and writable (${codeOf(error)}).`,
      "Make the user who runs the server its owner, or set DATA_DIR to another directory.",
    )
  }
}

const secret = async ({ databaseUrl, dataDir, secrets }: Config): Promise<Finding> => {
  const check = "secret"
  const file = `${dataDir}/secret`
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  )
  if (mode !== undefined && (mode & 0o077) !== 0) {
    return warning(
      check,
      `Other users can read ${file} (mode ${mode.toString(8)}).`,
      `chmod 600 ${file}`,
    )
  }
  if (Option.isNone(databaseUrl) && mode !== undefined) {
    return ok(
      check,
      `From FOOTFALL_SECRET or ${file}. Keep a copy: without it, encrypted data is lost.`,
    )
  }
  return ok(check, secrets.length === 2 ? "Two values: the first signs." : "One value.")
}

const room = async ({ dataDir }: Config): Promise<Finding> => {
  const check = "disk"
  try {
    const { bavail, bsize } = await statfs(await nearest(dataDir))
    const free = bavail * bsize
    const words = `${Math.round(free / mebibyte)} MiB are free for ${dataDir}.`
    if (free >= roomSmall) return ok(check, words)
    const report = free < roomMin ? failed : warning
    return report(check, words, "Free some space, or move DATA_DIR to a larger disk.")
  } catch (error) {
    return skipped(check, `The free space for ${dataDir} is unknown (${codeOf(error)}).`)
  }
}

/** The directory, or its nearest existing parent. */
const nearest = async (path: string): Promise<string> => {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  const above = path.includes("/") ? path.replace(/\/[^/]*$/, "") || "/" : "."
  return exists || above === path ? path : nearest(above)
}

const port = async (config: Config, code: string | undefined): Promise<Finding> => {
  const check = "port"
  const { host, port: number } = config
  if (code === undefined) return ok(check, `${host}:${number} is free.`)
  if (code !== "EADDRINUSE") {
    return failed(check, `Cannot listen on ${host}:${number} (${code}).`, "Set HOST or PORT.")
  }
  switch (await whoAnswers(listenUrl(config), config)) {
    case "this":
      return ok(check, `The server of this installation is running on ${host}:${number}.`)
    case "other":
      return failed(
        check,
        `A Footfall server of another installation is using ${host}:${number}.`,
        "If you meant that one, run the doctor with its environment, in its folder. Otherwise choose another port: --port or PORT.",
      )
    default:
      return failed(
        check,
        `Another program is using ${host}:${number}.`,
        "Stop it, or choose another port: --port or PORT.",
      )
  }
}

const listenUrl = ({ host, port: number }: Config): string => `http://${clientHost(host)}:${number}`

/** Clients can't connect to a wildcard address. */
const clientHost = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

const publicUrl = async (config: Config, portCode: string | undefined): Promise<Finding> => {
  const check = "public URL"
  const { baseUrl, isBaseUrlGiven } = config
  if (!isBaseUrlGiven) {
    return skipped(check, "BASE_URL is not set: tags, invitations and links point to this machine.")
  }
  const answer = await whoAnswers(baseUrl, config)
  if (answer === "this") return ok(check, `${baseUrl} reaches this installation.`)
  if (answer === "other") {
    return failed(
      check,
      `${baseUrl} reaches a Footfall server of another installation.`,
      "Check BASE_URL, and where the proxy for this host name sends requests.",
    )
  }
  return portCode === "EADDRINUSE"
    ? failed(
        check,
        `${baseUrl} does not reach this server: ${answer.words}.`,
        "Check BASE_URL, the DNS record, the proxy and its certificate. For a certificate of your own authority, set NODE_EXTRA_CA_CERTS.",
      )
    : skipped(check, `Start the server to check whether ${baseUrl} reaches it.`)
}

const answerTimeoutMs = 5_000

/** Asks for a proof that only a server with the same secret can give. */
const whoAnswers = async (
  url: string,
  { secrets }: Config,
): Promise<"this" | "other" | { readonly words: string }> => {
  const nonce = randomBytes(24).toString("base64url")
  try {
    const response = await operatorFetch(lookUpName)(`${url}/healthz?nonce=${nonce}`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const body = (await response.json()) as { data?: { status?: unknown; proof?: unknown } }
    if (body.data?.status !== "ok") return { words: `HTTP ${response.status} from another program` }
    const proofs = secrets.map((secret) => installationProof(secretKeysOf([secret]), nonce))
    return proofs.some((proof) => proof === body.data?.proof) ? "this" : "other"
  } catch (error) {
    return { words: wordsOf(error) }
  }
}

/** Undefined if the port is free. */
const listenCode = ({ host, port: number }: Config) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve(codeOf(error)))
    server.listen(number, host, () => server.close(() => resolve(undefined)))
  })

const mail = async ({ smtpServer }: Config): Promise<Finding> => {
  const check = "mail"
  if (smtpServer === undefined) {
    return skipped(
      check,
      "SMTP_URL is not set. No email is sent; invitations are returned by the API.",
    )
  }
  const { credentials, host, port: number } = smtpServer
  const transport = await smtpTransport(smtpServer)
  try {
    // The greeting, STARTTLS and the sign-in, as for a mail, without sending one.
    await transport.verify()
    const signedIn = credentials === undefined ? "" : ` and the sign-in as ${credentials.user}`
    return ok(check, `${host}:${number} accepts the connection${signedIn}.`)
  } catch (error) {
    return failed(
      check,
      `${host}:${number} doesn't accept mail from this server: ${failureOf(error).message}`,
      "Check SMTP_URL. For a certificate of your own authority, set NODE_EXTRA_CA_CERTS.",
    )
  } finally {
    transport.close()
  }
}

const issuer = async ({ baseUrl, externalIssuer }: Config): Promise<Finding> => {
  const check = "sign-in"
  if (externalIssuer === undefined) {
    return skipped(check, "OIDC_ISSUER is not set: users sign in with a password.")
  }
  const { client, issuer } = externalIssuer
  try {
    await discovered(await import("openid-client"), {
      issuer,
      client: client ?? { clientId: "doctor", clientSecret: undefined },
      fetch: operatorFetch(lookUpName),
    })
  } catch (error) {
    return failed(
      check,
      `Can't read the configuration of ${issuer}: ${wordsOf(error)}.`,
      "Check OIDC_ISSUER, and that this host can reach it. It must match the issuer's own name exactly.",
    )
  }
  return ok(
    check,
    client === undefined
      ? `${issuer} is responding. The API accepts its access tokens.`
      : `${issuer} is responding. Its redirect URI for this server must be ${baseUrl}${callbackPath}`,
  )
}

const companies = async (config: Config): Promise<Finding> => {
  const check = "companies"
  const { ipCompanyExcludeFile, ipCompanyFile } = config
  if (ipCompanyFile === undefined) {
    return skipped(
      check,
      "IP_COMPANY_FILE is not set: companies come only from email addresses and imports.",
    )
  }
  const guide = guidePage("how-to/see-companies", config.baseUrl)
  let variable = "IP_COMPANY_FILE"
  try {
    const { report } = await readCompanies(ipCompanyFile)
    variable = "IP_COMPANY_EXCLUDE_FILE"
    if (ipCompanyExcludeFile !== undefined) await readExcluded(ipCompanyExcludeFile)
    const { mtime } = await stat(ipCompanyFile)
    return companiesOf(ipCompanyFile, guide, { ...report, builtAt: report.builtAt ?? mtime })
  } catch (error) {
    return failed(
      check,
      `${variable}: ${error instanceof Error ? error.message : String(error)}.`,
      `Fix the file. Until then, a running server keeps using the last version it read. See ${guide}`,
    )
  }
}

const companiesOf = (
  path: string,
  guide: string,
  { builtAt, hasTypes, isWhole, networks }: CompanyFileReport & { readonly builtAt: Date },
): Finding => {
  const age = `It is of ${builtAt.toISOString().slice(0, 10)}.`
  if (networks === 0) {
    return failed(
      "companies",
      `${path} names no company: no network in it has the domain of one. ${age}`,
      `Use a file with domains. GeoLite2 ASN and other files of autonomous systems have none. See ${guide}`,
    )
  }
  const count = `${isWhole ? "" : "more than "}${networks.toLocaleString("en-US")}`
  const message = `${path} maps ${count} ${networks === 1 ? "network" : "networks"} to companies. ${age}`
  return hasTypes
    ? ok("companies", message)
    : warning(
        "companies",
        `${message} It has no types of networks, so a provider that Footfall doesn't know appears as a company.`,
        `Use a file with types, or list such providers in IP_COMPANY_EXCLUDE_FILE. See ${guide}`,
      )
}

/** Sends no questions, so the resolver looks no one up. */
const resolver = async ({ baseUrl, resolver }: Config): Promise<Finding> => {
  const check = "resolver"
  if (resolver === undefined) {
    return skipped(check, "RESOLVER_URL is not set: no resolver is asked about visitors.")
  }
  const advice = `Check RESOLVER_URL and RESOLVER_TOKEN. See ${guidePage("reference/configuration", baseUrl)}`
  try {
    const { status } = await operatorFetch(lookUpName)(resolver.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...resolverHeaders(resolver) },
      body: JSON.stringify({ questions: [] }),
      signal: AbortSignal.timeout(resolverTimeoutMs),
    })
    return status === 200
      ? ok(check, `${resolver.url} is responding.`)
      : failed(check, `${resolver.url} responded with status ${status}.`, advice)
  } catch (error) {
    return failed(check, `Can't reach ${resolver.url} (${codeOf(error)}).`, advice)
  }
}

/** Requests of inbound sources that arrived while Postgres was away. */
export const inboundSpool = async ({ dataDir }: Pick<Config, "dataDir">): Promise<Finding> => {
  const check = "inbound spool"
  const directory = join(dataDir, "inbound", "spool")
  const { bytes, entries, setAside } = await spoolState(directory)
  const advice = `A running server replays them once Postgres answers. Keep ${directory}.`
  if (setAside > 0) {
    const requests = setAside === 1 ? "1 request" : `${setAside} requests`
    return warning(
      check,
      `${requests} of inbound sources could not be replayed and ${setAside === 1 ? "was" : "were"} set aside.`,
      `The server's log says why. They are in ${directory}, as .aside files. Rename one to end in .spool to try it again.`,
    )
  }
  return entries === 0
    ? ok(check, "No request of an inbound source waits.")
    : warning(
        check,
        `${entries === 1 ? "1 request of an inbound source waits" : `${entries} requests of inbound sources wait`}, ${Math.ceil(bytes / 1024)} KB.`,
        advice,
      )
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)
