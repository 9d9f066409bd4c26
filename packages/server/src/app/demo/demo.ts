// The demo installation: fills an empty database with an organization, its owner, key and pixel, and sample visitors
// whose events take the regular path. `DATA_DIR/demo.json`, mode 0600, stores what is needed to show it again. A kill
// at any time leaves an empty database or a working demo. Other organizations are left alone.
import { Context, DateTime, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { Installation } from "../../access/installation.ts"
import { Identification } from "../../people/identification/identification.ts"
import { People } from "../../people/person/people.ts"
import { PixelChanges } from "../../collect/pixels/pixel-changes.ts"
import { VisitsStore } from "../../collect/visits/store.ts"
import { IntentData } from "./intent-data.ts"
import { makeSample } from "./sample.ts"
import { DemoStore } from "./store.ts"
import { TargetAccounts } from "./target-accounts.ts"

/** What a newcomer needs to know about the demo. */
export class DemoInstallation extends Schema.Opaque<DemoInstallation>()(
  Schema.Struct({
    organizationId: Schema.String,
    apiKey: Schema.String,
    pixelId: Schema.String,
    owner: Schema.Struct({ email: Schema.String, password: Schema.String }),
  }),
) {}

export const demoOrganizationName = "Footfall Demo"
const ownerEmail = "owner@footfall.example"
/** The server itself serves the demo page, so its pixel is a development pixel. spec 6.1. */
const domain = "localhost"
/**
 * `/demo` matches a demo word of spec 2.1; without these settings every page of the demo would count as a demo page.
 */
const settings = {
  pricingPaths: ["/pricing", "/demo/pricing"],
  demoPaths: ["/book-demo", "/demo/book-demo"],
}
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(DemoInstallation))
const sampleSeed = 4100
const eventsPerInsert = 2_000

export class Demo extends Context.Service<
  Demo,
  {
    /**
     * Creates the demo in an empty database, or finds it again; none if the database belongs to a real installation.
     * Guarantee: afterwards its visitors and intent data exist, even if an earlier start was killed halfway.
     */
    ensure(options: {
      readonly dataDir: string
      /** The origin of the sample pages, for example `http://localhost:4100`. */
      readonly origin: string
    }): Effect.Effect<Option.Option<DemoInstallation>>
  }
>()("@footfall/server/demo/Demo") {
  static readonly layer = Layer.effect(
    Demo,
    Effect.gen(function* () {
      const installation = yield* Installation
      const pixels = yield* PixelChanges
      const people = yield* People
      const visits = yield* VisitsStore
      const identification = yield* Identification
      const files = yield* FileSystem.FileSystem
      const intentData = yield* IntentData
      const store = yield* DemoStore
      const targetAccounts = yield* TargetAccounts

      const find = Effect.fnUntraced(function* (file: string, organizationId: string) {
        if (!(yield* files.exists(file))) return Option.none<DemoInstallation>()
        const demo = decode(yield* files.readFileString(file))
        return Option.filter(demo, (known) => known.organizationId === organizationId)
      })

      const make = Effect.fnUntraced(function* (file: string, origin: string) {
        const made = yield* installation.create({
          organizationName: demoOrganizationName,
          email: ownerEmail,
        })
        const { organizationId } = made
        const pixel = yield* pixels.create(
          { organizationId, actor: { type: "operator" } },
          { domain, name: "Demo site", settings },
        )
        const demo: DemoInstallation = {
          organizationId,
          apiKey: Redacted.value(made.apiKey),
          pixelId: pixel.id,
          owner: { email: made.owner.email, password: Redacted.value(made.owner.password) },
        }
        yield* targetAccounts.create(organizationId, made.owner.userId)
        yield* fill(demo, origin)
        yield* keep(file, demo)
        return Option.some(demo)
      })

      // Written before the commit, so that the file exists whenever the organization does. The next start replaces a
      // file without its organization.
      const keep = Effect.fnUntraced(function* (file: string, demo: DemoInstallation) {
        const directory = file.slice(0, file.lastIndexOf("/"))
        yield* files.makeDirectory(directory, { recursive: true, mode: 0o700 })
        const text = `${JSON.stringify(demo, undefined, 2)}\n`
        yield* files.writeFileString(`${file}.new`, text, { mode: 0o600 })
        yield* files.rename(`${file}.new`, file)
      })

      const fill = Effect.fnUntraced(function* (demo: DemoInstallation, origin: string) {
        const { organizationId, pixelId } = demo
        const now = yield* DateTime.now
        const sample = makeSample({ organizationId, pixelId, origin, now, seed: sampleSeed })
        yield* people.put(organizationId, sample.people)
        for (let from = 0; from < sample.events.length; from += eventsPerInsert) {
          const events = sample.events.slice(from, from + eventsPerInsert)
          yield* visits.insert([{ bucket: undefined, events }])
        }
      })

      return Demo.of({
        ensure: Effect.fn("Demo.ensure")(function* ({ dataDir, origin }) {
          const file = `${dataDir}/demo.json`
          const [first] = yield* installation.organizations
          const demo = yield* first === undefined
            ? store.transaction(make(file, origin))
            : find(file, first.id)
          if (Option.isNone(demo)) return demo
          yield* identification.drain
          const { organizationId } = demo.value
          yield* intentData.ensure({ organizationId, sampleSeed })
          return demo
        }, Effect.orDie),
      })
    }),
  )
}
