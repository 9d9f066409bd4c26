// The manifests in ops/kubernetes, as far as possible without a cluster: the compiler checks each object against the
// types of Kubernetes' API, which also finds fields that the API doesn't know, and every name that one object uses for
// another must exist.
import { execFile } from "node:child_process"
import { readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const run = promisify(execFile)
const root = new URL("../../../../", import.meta.url).pathname
const folder = join(root, "ops/kubernetes")

/** An object of the API; its fields are checked by the compiler. */
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> }
  // oxlint-disable-next-line typescript/no-explicit-any -- the compiler checks the fields of each kind
  readonly spec: any
  readonly data?: Readonly<Record<string, string>>
}

const read = (file: string) => readFile(join(folder, file), "utf8")

let kustomization: {
  readonly namespace: string
  readonly resources: ReadonlyArray<string>
  readonly images: ReadonlyArray<{ readonly name: string; readonly newTag: string }>
}
let manifests: ReadonlyArray<Manifest>

beforeAll(async () => {
  kustomization = parse(await read("kustomization.yaml"))
  const texts = await Promise.all(kustomization.resources.map(read))
  manifests = texts.flatMap((text) => parseAllDocuments(text).map((each) => each.toJS()))
})

const named = (kind: string, name: string) =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
/** The pods of everything that has some. */
const pods = () =>
  manifests.filter(({ spec }) => spec?.template !== undefined).map(({ spec }) => spec.template.spec)

/** Where kubernetes-types has the type of an object. */
const modules: ReadonlyMap<string, string> = new Map([
  ["v1", "core/v1"],
  ["apps/v1", "apps/v1"],
  ["batch/v1", "batch/v1"],
  ["networking.k8s.io/v1", "networking/v1"],
  ["policy/v1", "policy/v1"],
])

/** What the compiler says about the objects, by the types of the API. */
const compiled = async (objects: ReadonlyArray<Manifest>) => {
  const place = temporaryFolder("footfall-kubernetes")
  await symlink(join(root, "node_modules"), join(place, "node_modules"))
  const lines = objects.flatMap((object, index) => [
    `import type { ${object.kind} as Type${index} } from "kubernetes-types/${modules.get(object.apiVersion)}"`,
    `export const object${index}: Type${index} = ${JSON.stringify(object)}`,
  ])
  await writeFile(join(place, "manifests.ts"), lines.join("\n"))
  return run(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      ...["--noEmit", "--strict", "--skipLibCheck", "--types", ""],
      ...["--module", "nodenext", "--target", "esnext", "manifests.ts"],
    ],
    { cwd: place },
  ).then(
    () => "",
    ({ stdout }: { readonly stdout: string }) => stdout,
  )
}

describe("every object", () => {
  it("is one that the API of Kubernetes knows, with no field that it doesn't", async () => {
    expect(manifests.length).toBeGreaterThan(8)
    expect(await compiled(manifests)).toBe("")
  })

  it("would be refused with a field that is spelled wrong, is missing, or has another type", async () => {
    const web = named("StatefulSet", "footfall-web")!
    const wrong = (spec: object) => compiled([{ ...web, spec: { ...web.spec, ...spec } }])

    const [unknown, missing, typed] = await Promise.all([
      wrong({ replica: 2 }),
      wrong({ selector: undefined }),
      wrong({ replicas: "two" }),
    ])
    expect(unknown).toContain("replica")
    expect(missing).toContain("selector")
    expect(typed).toContain("string")
  })

  it("is in a file that the kustomization names, once by kind and name", async () => {
    const files = (await readdir(folder)).filter((file) => file !== "kustomization.yaml")
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

    expect(kustomization.resources.toSorted()).toEqual(files.toSorted())
    expect(new Set(names).size).toBe(names.length)
    expect(named("Namespace", kustomization.namespace)).toBeDefined()
  })
})

describe("a name that one object uses for another", () => {
  it("exists: configuration, secret, ports, and the pods of a service, a set and a budget", async () => {
    const guide = await readFile(join(root, "docs/operations/kubernetes.md"), "utf8")
    const labels = manifests.flatMap(({ spec }) => spec?.template?.metadata.labels ?? [])
    for (const pod of pods()) {
      for (const container of pod.containers) {
        for (const { configMapRef } of container.envFrom)
          expect(named("ConfigMap", configMapRef.name)).toBeDefined()
        for (const { name } of container.volumeMounts) {
          const claims = ofKind("StatefulSet").flatMap(({ spec }) => spec.volumeClaimTemplates)
          const volumes = [...pod.volumes, ...claims.map(({ metadata }) => metadata)]
          expect(volumes.map((volume) => volume.name)).toContain(name)
        }
      }
      const { secret } = pod.volumes.find(
        ({ name }: { readonly name: string }) => name === "secrets",
      )
      expect(guide).toContain(`create secret generic ${secret.secretName} `)
    }
    for (const { kind, metadata, spec } of manifests) {
      const selector =
        spec?.selector?.matchLabels ?? (kind === "Service" ? spec.selector : undefined)
      if (selector === undefined) continue
      expect(labels, `${kind} ${metadata.name}`).toContainEqual(expect.objectContaining(selector))
    }
    const [ingress] = ofKind("Ingress")
    const [{ http }] = ingress!.spec.rules
    for (const { backend } of http.paths) {
      const service = named("Service", backend.service.name)
      const { name, number } = backend.service.port
      const ports = service!.spec.ports.map((port: { name: string; port: number }) =>
        name === undefined ? port.port : port.name,
      )
      expect(ports).toContain(name ?? number)
    }
    expect(named("Service", named("StatefulSet", "footfall-web")!.spec.serviceName)).toBeDefined()
  })

  it("of a file with a secret is the one that the configuration reads, and a key of the secret", async () => {
    const guide = await readFile(join(root, "docs/operations/kubernetes.md"), "utf8")
    const { data } = named("ConfigMap", "footfall")!
    const paths = Object.entries(data!).filter(([name]) => name.endsWith("_FILE"))

    expect(paths.map(([name]) => name)).toEqual(["DATABASE_URL_FILE", "FOOTFALL_SECRET_FILE"])
    for (const [, path] of paths) {
      expect(guide).toContain(`--from-literal=${path.replace("/secrets/", "")}=`)
    }
    const reference = await readFile(join(root, "docs/reference/configuration.md"), "utf8")
    for (const name of Object.keys(data!))
      expect(reference).toContain(`\`${name.replace(/_FILE$/, "")}\``)
  })
})

describe("the pods", () => {
  it("run what the image has: the schema's update, requests without workers, and workers alone", async () => {
    const usage = await run(process.execPath, [
      join(root, "packages/server/bin/footfall-server.js"),
      ...["start", "--help"],
    ])
    const args = pods().map(({ containers }) => containers[0].args)

    expect(args).toEqual([["migrate"], ["start", "--no-workers"], ["start", "--workers-only"]])
    for (const flag of args.flat().filter((each: string) => each.startsWith("--")))
      expect(usage.stdout).toContain(flag)
  })

  it("may run in a namespace with the restricted profile, and get no token of the cluster", () => {
    for (const pod of pods()) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        },
      })
      for (const { resources, securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        })
        expect(resources.limits.memory).toBeDefined()
        // A limit of processor time would slow down requests while the machine is idle.
        expect(resources.limits.cpu).toBeUndefined()
      }
    }
  })

  it("are asked whether they live and whether they are ready, and have the documented time to stop", () => {
    const [, ...servers] = pods()
    for (const pod of servers) {
      const [{ livenessProbe, readinessProbe, startupProbe }] = pod.containers
      expect(livenessProbe.httpGet.path).toBe("/healthz")
      expect(startupProbe.httpGet.path).toBe("/healthz")
      expect(readinessProbe.httpGet.path).toBe("/readyz")
      // Requests have 20 seconds, and deliveries 10 more.
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(30)
      // A starting server waits a minute for its database.
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThan(60)
    }
  })

  it("that collect events each keep a disk, and those that only work need none", () => {
    const { spec } = named("StatefulSet", "footfall-web")!
    expect(spec.volumeClaimTemplates[0].metadata.name).toBe("data")
    const workers = named("Deployment", "footfall-workers")!.spec.template.spec
    expect(workers.volumes).toContainEqual({ name: "data", emptyDir: {} })
  })

  it("run the image of this version", async () => {
    const { version } = JSON.parse(
      await readFile(join(root, "packages/server/package.json"), "utf8"),
    )
    const [image] = kustomization.images

    expect(image!.newTag).toBe(version)
    for (const pod of pods())
      for (const container of pod.containers) expect(container.image).toBe(image!.name)
  })
})

it("metrics stay inside the cluster", () => {
  const [ingress] = ofKind("Ingress")
  const metrics = ingress!.spec.rules[0].http.paths.find(
    ({ path }: { readonly path: string }) => path === "/metrics",
  )

  expect(metrics.pathType).toBe("Exact")
  expect(named("Service", metrics.backend.service.name)!.spec.selector).toBeUndefined()
})
