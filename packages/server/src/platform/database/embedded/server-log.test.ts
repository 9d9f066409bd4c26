import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, PlatformError } from "effect"
import { logBytesMax, openServerLog } from "./server-log.ts"

/** A line that takes this many bytes in the file, including its line feed. */
const lineOf = (bytes: number) => "x".repeat(bytes - 1)

layer(NodeServices.layer)("the log of the embedded Postgres", (it) => {
  const file = Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return `${yield* fs.makeTempDirectoryScoped()}/postgres.log`
  })

  for (const { bytes, isRotated } of [
    { bytes: logBytesMax - 1, isRotated: false },
    { bytes: logBytesMax, isRotated: false },
    { bytes: logBytesMax + 1, isRotated: true },
  ])
    it.effect(`is rotated if it would hold ${bytes} bytes: ${isRotated}`, () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const path = yield* file
        const log = yield* openServerLog(path)
        yield* log.append(lineOf(bytes - 10))

        yield* log.append(lineOf(10))

        assert.strictEqual(yield* fs.exists(`${path}.1`), isRotated)
        assert.strictEqual(Number((yield* fs.stat(path)).size), isRotated ? 10 : bytes)
      }),
    )

  it.effect("counts what an earlier process wrote", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* file
      yield* fs.writeFileString(path, lineOf(logBytesMax + 1))

      yield* (yield* openServerLog(path)).append("new")

      assert.strictEqual(yield* fs.readFileString(path), "new\n")
    }),
  )

  it.effect("is not readable by others", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* file

      yield* (yield* openServerLog(path)).append("new")

      assert.strictEqual((yield* fs.stat(path)).mode & 0o777, 0o600)
    }),
  )

  it.effect("loses lines on a full disk without failing", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const full = PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method: "writeFile",
        description: "no space left on device",
      })
      const log = yield* openServerLog(yield* file).pipe(
        Effect.provideService(FileSystem.FileSystem, {
          ...fs,
          writeFileString: () => Effect.fail(full),
        }),
      )

      yield* log.append("lost")
    }),
  )
})
