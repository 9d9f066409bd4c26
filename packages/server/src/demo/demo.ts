// The demo installation: on an empty database an organization with its owner, key and pixel, and
// sample visitors that went the way every event goes, through the inbox and the identification pass.
// What is needed to show it again is kept in `DATA_DIR/demo.json`, mode 0600, because keys and
// passwords are stored as digests only. A database that holds other organizations is left alone.
import { Context, DateTime, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { Installation } from "../access/installation.ts"
import { Identification } from "../identification/identification.ts"
import { PeopleStore } from "../people/store.ts"
import { Pixels } from "../pixels/pixels.ts"
import { VisitsStore } from "../visits/store.ts"
import { makeSample } from "./sample.ts"

/** What a newcomer needs to know of the demo. */
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
/** The demo page is served by the server itself, so its pixel is a development pixel. decisions.md 6.1. */
const domain = "localhost"
/** `/demo` is a demo word of decisions.md 2.1: without these every page of the demo would count. */
const settings = { pricingPaths: ["/pricing", "/demo/pricing"], demoPaths: ["/book-demo", "/demo/book-demo"] }
const sampleSeed = 4100
const eventsPerInsert = 2_000

export class Demo extends Context.Service<
  Demo,
  {
    /**
     * The demo installation: made on an empty database, found again on its own; none where the
     * database is somebody's real one.
     */
    ensure(options: {
      readonly dataDir: string
      /** Of the sample pages, like `http://localhost:4100`. */
      readonly origin: string
    }): Effect.Effect<Option.Option<DemoInstallation>>
  }
>()("@footfall/server/demo/Demo") {
  static readonly layer = Layer.effect(
    Demo,
    Effect.gen(function* () {
      const installation = yield* Installation
      const pixels = yield* Pixels
      const people = yield* PeopleStore
      const visits = yield* VisitsStore
      const identification = yield* Identification
      const files = yield* FileSystem.FileSystem

      const find = Effect.fnUntraced(function* (file: string, organizationId: string) {
        if (!(yield* files.exists(file))) return Option.none<DemoInstallation>()
        const text = yield* files.readFileString(file)
        const known = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(DemoInstallation))(text)
        return known.organizationId === organizationId ? Option.some(known) : Option.none()
      })

      const make = Effect.fnUntraced(function* (file: string, origin: string) {
        const made = yield* installation.create({
          organizationName: demoOrganizationName,
          email: ownerEmail,
        })
        const { organizationId } = made
        const pixel = yield* pixels.create({ organizationId, domain, name: "Demo site", settings })
        const demo: DemoInstallation = {
          organizationId,
          apiKey: Redacted.value(made.apiKey),
          pixelId: pixel.id,
          owner: { email: made.owner.email, password: Redacted.value(made.owner.password) },
        }
        yield* files.makeDirectory(file.slice(0, file.lastIndexOf("/")), { recursive: true })
        yield* files.writeFileString(file, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 })
        yield* fill(demo, origin)
        return Option.some(demo)
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
        yield* identification.drain
      })

      return Demo.of({
        ensure: Effect.fn("Demo.ensure")(function* ({ dataDir, origin }) {
          const file = `${dataDir}/demo.json`
          const [first] = yield* installation.organizations
          return yield* first === undefined ? make(file, origin) : find(file, first.id)
        }, Effect.orDie),
      })
    }),
  )
}
