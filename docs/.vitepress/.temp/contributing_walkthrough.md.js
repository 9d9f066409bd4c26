import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Walkthrough: add an endpoint with a table","description":"","frontmatter":{},"headers":[],"relativePath":"contributing/walkthrough.md","filePath":"docs/contributing/walkthrough.md"}');
const _sfc_main = { name: "contributing/walkthrough.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="walkthrough-add-an-endpoint-with-a-table" tabindex="-1">Walkthrough: add an endpoint with a table <a class="header-anchor" href="#walkthrough-add-an-endpoint-with-a-table" aria-label="Permalink to &quot;Walkthrough: add an endpoint with a table&quot;">​</a></h1><p>This page adds notes to the room <code>visitors</code>: <code>POST /v1/data/notes</code> creates one, and <code>GET /v1/data/notes/{noteId}</code> gets it. Each step is a diff from the real change. Read <a href="/guide/contributing/">CONTRIBUTING</a> first. You edit 19 files; commands generate three more. At the end, you add <a href="#a-new-command">a new command</a> to the command line, in 2 files.</p><table tabindex="0"><thead><tr><th>Step</th><th>Files</th></tr></thead><tbody><tr><td>1. specification</td><td>chapter 5, a changeset</td></tr><tr><td>2. table</td><td>a migration and its line in <code>platform/database/migrations.ts</code></td></tr><tr><td>3. room</td><td><code>store.ts</code>, <code>notes.ts</code>, <code>api.ts</code>, <code>handlers.ts</code>, and the room&#39;s <code>layer.ts</code></td></tr><tr><td>4. contract</td><td>a line in <code>app/api.ts</code></td></tr><tr><td>5. reference</td><td>descriptions and examples in <code>app/reference/visitors.ts</code>, texts of fields in <code>app/reference/fields/visitors.ts</code></td></tr><tr><td>6. SDK</td><td>lines in <code>scripts/api-reference/clients.ts</code> and <code>scripts/sdk/nouns.ts</code>, and in the SDK&#39;s <code>client.ts</code> and <code>index.ts</code></td></tr><tr><td>7. tests</td><td><code>notes.test.ts</code>, entries in <code>isolation/cases.ts</code>, <code>erasure/columns.test.ts</code> and <code>contract/answerable.test.ts</code></td></tr></tbody></table><h2 id="_1-say-what-it-does" tabindex="-1">1. Say what it does <a class="header-anchor" href="#_1-say-what-it-does" aria-label="Permalink to &quot;1. Say what it does&quot;">​</a></h2><p>Add the endpoints and the fields of a note to <a href="/guide/specification/05-endpoints">chapter 5</a> of the specification, each rule with a number. Comments and tests cite the numbers. <code>npm run changeset</code> asks you for the release note.</p><h2 id="_2-the-table" tabindex="-1">2. The table <a class="header-anchor" href="#_2-the-table" aria-label="Permalink to &quot;2. The table&quot;">​</a></h2><p>A migration runs once and is never edited after a release. In every table that belongs to organizations, the primary key starts with <code>organization_id</code>, so that a query can&#39;t reach another organization&#39;s rows by mistake.</p><p><code>packages/server/src/platform/database/migrations/0099-notes.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// Notes of an organization.</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export const statements: ReadonlyArray&lt;string&gt; = [</span></span>
<span class="line"><span class="t-inserted">+  \`create table note (</span></span>
<span class="line"><span class="t-inserted">+    organization_id uuid not null references organization (id),</span></span>
<span class="line"><span class="t-inserted">+    id uuid not null,</span></span>
<span class="line"><span class="t-inserted">+    text text not null,</span></span>
<span class="line"><span class="t-inserted">+    created_at timestamptz not null default now(),</span></span>
<span class="line"><span class="t-inserted">+    primary key (organization_id, id)</span></span>
<span class="line"><span class="t-inserted">+  )\`,</span></span>
<span class="line"><span class="t-inserted">+]</span></span></code></pre></div><p><code>packages/server/src/platform/database/migrations.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> import { statements as dataKeys } from &quot;./migrations/0038-data-keys.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { statements as notes } from &quot;./migrations/0099-notes.ts&quot;</span></span>
<span class="line"></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   &quot;0038_data_keys&quot;: dataKeys,</span></span>
<span class="line"><span class="t-inserted">+  &quot;0099_notes&quot;: notes,</span></span>
<span class="line"><span> }</span></span></code></pre></div><h2 id="_3-the-room" tabindex="-1">3. The room <a class="header-anchor" href="#_3-the-room" aria-label="Permalink to &quot;3. The room&quot;">​</a></h2><p>The store contains every SQL statement. Its interface is inferred from <code>make</code>; <a href="/guide/contributing/#stores">CONTRIBUTING</a> says when to write one explicitly.</p><p><code>packages/server/src/people/visitors/notes/store.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// Every statement about notes.</span></span>
<span class="line"><span class="t-inserted">+import { Context, Effect, Layer } from &quot;effect&quot;</span></span>
<span class="line"><span class="t-inserted">+import { SqlClient } from &quot;effect/sql&quot;</span></span>
<span class="line"><span class="t-inserted">+import { isoTime } from &quot;../../../platform/database/iso-time.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export interface NoteRow {</span></span>
<span class="line"><span class="t-inserted">+  readonly id: string</span></span>
<span class="line"><span class="t-inserted">+  readonly text: string</span></span>
<span class="line"><span class="t-inserted">+  readonly createdAt: string</span></span>
<span class="line"><span class="t-inserted">+}</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+const make = Effect.gen(function* () {</span></span>
<span class="line"><span class="t-inserted">+  const sql = yield* SqlClient.SqlClient</span></span>
<span class="line"><span class="t-inserted">+  const columns = sql.literal(\`id, text, \${isoTime(&quot;created_at&quot;)} as &quot;createdAt&quot;\`)</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+  return {</span></span>
<span class="line"><span class="t-inserted">+    insert: (organizationId: string, id: string, text: string): Effect.Effect&lt;NoteRow&gt; =&gt;</span></span>
<span class="line"><span class="t-inserted">+      sql&lt;NoteRow&gt;\`</span></span>
<span class="line"><span class="t-inserted">+        insert into note (organization_id, id, text) values (\${organizationId}, \${id}, \${text})</span></span>
<span class="line"><span class="t-inserted">+        returning \${columns}</span></span>
<span class="line"><span class="t-inserted">+      \`.pipe(</span></span>
<span class="line"><span class="t-inserted">+        Effect.map((rows) =&gt; rows[0]!),</span></span>
<span class="line"><span class="t-inserted">+        Effect.orDie,</span></span>
<span class="line"><span class="t-inserted">+      ),</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+    /** Undefined for an unknown id and one of another organization. */</span></span>
<span class="line"><span class="t-inserted">+    find: (organizationId: string, id: string): Effect.Effect&lt;NoteRow | undefined&gt; =&gt;</span></span>
<span class="line"><span class="t-inserted">+      sql&lt;NoteRow&gt;\`</span></span>
<span class="line"><span class="t-inserted">+        select \${columns} from note where organization_id = \${organizationId} and id = \${id}</span></span>
<span class="line"><span class="t-inserted">+      \`.pipe(</span></span>
<span class="line"><span class="t-inserted">+        Effect.map((rows) =&gt; rows[0]),</span></span>
<span class="line"><span class="t-inserted">+        Effect.orDie,</span></span>
<span class="line"><span class="t-inserted">+      ),</span></span>
<span class="line"><span class="t-inserted">+  }</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export class NoteStore extends Context.Service&lt;NoteStore, Effect.Success&lt;typeof make&gt;&gt;()(</span></span>
<span class="line"><span class="t-inserted">+  &quot;@footfall/server/visitors/NoteStore&quot;,</span></span>
<span class="line"><span class="t-inserted">+) {</span></span>
<span class="line"><span class="t-inserted">+  static readonly layer = Layer.effect(NoteStore, make)</span></span>
<span class="line"><span class="t-inserted">+}</span></span></code></pre></div><p>The service contains the logic. It knows nothing about HTTP and fails with its own errors.</p><p><code>packages/server/src/people/visitors/notes/notes.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// Notes of an organization: made and read, never changed.</span></span>
<span class="line"><span class="t-inserted">+import { Context, Effect, Layer, Schema } from &quot;effect&quot;</span></span>
<span class="line"><span class="t-inserted">+import { SecureRandom } from &quot;effect/crypto&quot;</span></span>
<span class="line"><span class="t-inserted">+import { NoteStore } from &quot;./store.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export class NoteNotFound extends Schema.TaggedError&lt;NoteNotFound&gt;()(&quot;NoteNotFound&quot;, {}) {}</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+const make = Effect.gen(function* () {</span></span>
<span class="line"><span class="t-inserted">+  const store = yield* NoteStore</span></span>
<span class="line"><span class="t-inserted">+  const random = yield* SecureRandom.SecureRandom</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+  const create = Effect.fn(&quot;Notes.create&quot;)(function* (organizationId: string, text: string) {</span></span>
<span class="line"><span class="t-inserted">+    return yield* store.insert(organizationId, yield* random.uuidV4(), text)</span></span>
<span class="line"><span class="t-inserted">+  })</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+  /** Fails with NoteNotFound, also for a note of another organization. */</span></span>
<span class="line"><span class="t-inserted">+  const get = Effect.fn(&quot;Notes.get&quot;)(function* (organizationId: string, noteId: string) {</span></span>
<span class="line"><span class="t-inserted">+    return (yield* store.find(organizationId, noteId)) ?? (yield* new NoteNotFound())</span></span>
<span class="line"><span class="t-inserted">+  })</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+  return { create, get }</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export class Notes extends Context.Service&lt;Notes, Effect.Success&lt;typeof make&gt;&gt;()(</span></span>
<span class="line"><span class="t-inserted">+  &quot;@footfall/server/visitors/Notes&quot;,</span></span>
<span class="line"><span class="t-inserted">+) {</span></span>
<span class="line"><span class="t-inserted">+  static readonly layer = Layer.effect(Notes, make)</span></span>
<span class="line"><span class="t-inserted">+}</span></span></code></pre></div><p>The contract defines the endpoints&#39; requests and responses. <code>keyGroup</code> adds every check for a request with an API key: credentials, rate limit, the organization&#39;s state, body and parameters. Use <code>memberGroup</code> for access tokens, <code>eitherGroup</code> for both and <code>publicGroup</code> for neither. The title becomes the chapter in the reference.</p><p><code>packages/server/src/people/visitors/notes/api.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// The wire contract of notes.</span></span>
<span class="line"><span class="t-inserted">+import { Schema } from &quot;effect&quot;</span></span>
<span class="line"><span class="t-inserted">+import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from &quot;effect/http-api&quot;</span></span>
<span class="line"><span class="t-inserted">+import { keyGroup } from &quot;../../../access/groups.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { Meta } from &quot;../../../platform/http/envelope.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { BadRequest, NotFound } from &quot;../../../platform/http/errors.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { described, requestText } from &quot;../../../platform/http/fields.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { RateLimited } from &quot;../../../platform/http/rate-limit.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export class Note extends Schema.Opaque&lt;Note&gt;()(</span></span>
<span class="line"><span class="t-inserted">+  Schema.Struct({</span></span>
<span class="line"><span class="t-inserted">+    id: Schema.String,</span></span>
<span class="line"><span class="t-inserted">+    text: Schema.String,</span></span>
<span class="line"><span class="t-inserted">+    createdAt: Schema.String,</span></span>
<span class="line"><span class="t-inserted">+  }).annotate({ identifier: &quot;Note&quot; }),</span></span>
<span class="line"><span class="t-inserted">+) {}</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+const NewNote = Schema.Struct({</span></span>
<span class="line"><span class="t-inserted">+  text: described(&quot;1 to 500 characters.&quot;, requestText({ lengthMin: 1, lengthMax: 500 })),</span></span>
<span class="line"><span class="t-inserted">+}).annotate({ identifier: &quot;NewNote&quot; })</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+const NoteAnswer = Schema.Struct({ data: Note, meta: Meta }).annotate({ identifier: &quot;NoteAnswer&quot; })</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export class NotesApi extends HttpApiGroup.make(&quot;notes&quot;)</span></span>
<span class="line"><span class="t-inserted">+  .annotate(OpenApi.Title, &quot;Visitors&quot;)</span></span>
<span class="line"><span class="t-inserted">+  .add(</span></span>
<span class="line"><span class="t-inserted">+    HttpApiEndpoint.post(&quot;create&quot;, &quot;/v1/data/notes&quot;, {</span></span>
<span class="line"><span class="t-inserted">+      payload: NewNote,</span></span>
<span class="line"><span class="t-inserted">+      success: NoteAnswer.pipe(HttpApiSchema.status(201)),</span></span>
<span class="line"><span class="t-inserted">+      error: BadRequest,</span></span>
<span class="line"><span class="t-inserted">+    }),</span></span>
<span class="line"><span class="t-inserted">+    HttpApiEndpoint.get(&quot;get&quot;, &quot;/v1/data/notes/:noteId&quot;, {</span></span>
<span class="line"><span class="t-inserted">+      params: { noteId: Schema.String.check(Schema.isUUID()) },</span></span>
<span class="line"><span class="t-inserted">+      success: NoteAnswer,</span></span>
<span class="line"><span class="t-inserted">+      error: NotFound,</span></span>
<span class="line"><span class="t-inserted">+    }),</span></span>
<span class="line"><span class="t-inserted">+  )</span></span>
<span class="line"><span class="t-inserted">+  .annotate(RateLimited, { name: &quot;notes&quot;, limit: 60 })</span></span>
<span class="line"><span class="t-inserted">+  .pipe(keyGroup) {}</span></span></code></pre></div><p>The handlers translate between the two.</p><p><code>packages/server/src/people/visitors/notes/handlers.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// Translates between the wire and the Notes service; decides nothing.</span></span>
<span class="line"><span class="t-inserted">+import { Effect } from &quot;effect&quot;</span></span>
<span class="line"><span class="t-inserted">+import { HttpApiBuilder } from &quot;effect/http-api&quot;</span></span>
<span class="line"><span class="t-inserted">+import { Caller } from &quot;../../../access/caller.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { footfall } from &quot;../../../platform/http/contract.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { success } from &quot;../../../platform/http/envelope.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { notFound } from &quot;../../../platform/http/errors.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { NotesApi } from &quot;./api.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { Notes } from &quot;./notes.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+export const NotesHandlers = HttpApiBuilder.group(</span></span>
<span class="line"><span class="t-inserted">+  footfall.add(NotesApi),</span></span>
<span class="line"><span class="t-inserted">+  &quot;notes&quot;,</span></span>
<span class="line"><span class="t-inserted">+  Effect.fn(function* (handlers) {</span></span>
<span class="line"><span class="t-inserted">+    const notes = yield* Notes</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+    return handlers.handleAll({</span></span>
<span class="line"><span class="t-inserted">+      create: Effect.fnUntraced(function* ({ payload }) {</span></span>
<span class="line"><span class="t-inserted">+        const { organizationId } = yield* Caller</span></span>
<span class="line"><span class="t-inserted">+        return yield* success(yield* notes.create(organizationId, payload.text))</span></span>
<span class="line"><span class="t-inserted">+      }),</span></span>
<span class="line"><span class="t-inserted">+      get: Effect.fnUntraced(</span></span>
<span class="line"><span class="t-inserted">+        function* ({ params }) {</span></span>
<span class="line"><span class="t-inserted">+          const { organizationId } = yield* Caller</span></span>
<span class="line"><span class="t-inserted">+          return yield* success(yield* notes.get(organizationId, params.noteId))</span></span>
<span class="line"><span class="t-inserted">+        },</span></span>
<span class="line"><span class="t-inserted">+        Effect.catchTag(&quot;NoteNotFound&quot;, () =&gt; notFound),</span></span>
<span class="line"><span class="t-inserted">+      ),</span></span>
<span class="line"><span class="t-inserted">+    })</span></span>
<span class="line"><span class="t-inserted">+  }),</span></span>
<span class="line"><span class="t-inserted">+)</span></span></code></pre></div><p>The room&#39;s layer provides all three to the server.</p><p><code>packages/server/src/people/visitors/layer.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> import { VisitorsHandlers } from &quot;./handlers.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { NotesHandlers } from &quot;./notes/handlers.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { Notes } from &quot;./notes/notes.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { NoteStore } from &quot;./notes/store.ts&quot;</span></span>
<span class="line"><span> import { RuleTurns } from &quot;./query/rule-turns.ts&quot;</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   CoverageStore.layer,</span></span>
<span class="line"><span class="t-inserted">+  NoteStore.layer,</span></span>
<span class="line"><span>   SegmentStore.layer,</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span> export const VisitorServices = Layer.mergeAll(</span></span>
<span class="line"><span class="t-inserted">+  Notes.layer,</span></span>
<span class="line"><span>   Sessions.layer,</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span> /** Its endpoints. */</span></span>
<span class="line"><span class="t-deleted">-export const VisitorHandlers = Layer.mergeAll(SegmentsHandlers, SessionsHandlers, VisitorsHandlers)</span></span>
<span class="line"><span class="t-inserted">+export const VisitorHandlers = Layer.mergeAll(</span></span>
<span class="line"><span class="t-inserted">+  NotesHandlers,</span></span>
<span class="line"><span class="t-inserted">+  SegmentsHandlers,</span></span>
<span class="line"><span class="t-inserted">+  SessionsHandlers,</span></span>
<span class="line"><span class="t-inserted">+  VisitorsHandlers,</span></span>
<span class="line"><span class="t-inserted">+)</span></span></code></pre></div><h2 id="_4-the-server-s-contract" tabindex="-1">4. The server&#39;s contract <a class="header-anchor" href="#_4-the-server-s-contract" aria-label="Permalink to &quot;4. The server&#39;s contract&quot;">​</a></h2><p><code>packages/server/src/app/api.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> import { TopicTrendsApi } from &quot;../intent/topics/trends/api.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { NotesApi } from &quot;../people/visitors/notes/api.ts&quot;</span></span>
<span class="line"><span> import { SegmentsApi } from &quot;../people/visitors/segments/api.ts&quot;</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   .add(PixelsApi)</span></span>
<span class="line"><span class="t-inserted">+  .add(NotesApi)</span></span>
<span class="line"><span>   .add(SuppressionApi)</span></span></code></pre></div><h2 id="_5-the-reference" tabindex="-1">5. The reference <a class="header-anchor" href="#_5-the-reference" aria-label="Permalink to &quot;5. The reference&quot;">​</a></h2><p><code>packages/server/src/app/reference/visitors.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+  &quot;notes.create&quot;: {</span></span>
<span class="line"><span class="t-inserted">+    summary: &quot;Create a note&quot;,</span></span>
<span class="line"><span class="t-inserted">+    description: &quot;Saves a text of up to 500 characters.&quot;,</span></span>
<span class="line"><span class="t-inserted">+    request: { text: &quot;Call back on Monday&quot; },</span></span>
<span class="line"><span class="t-inserted">+    responses: { 201: answer(note) },</span></span>
<span class="line"><span class="t-inserted">+  },</span></span>
<span class="line"><span class="t-inserted">+  &quot;notes.get&quot;: {</span></span>
<span class="line"><span class="t-inserted">+    summary: &quot;Get a note&quot;,</span></span>
<span class="line"><span class="t-inserted">+    description: &quot;Returns one note.&quot;,</span></span>
<span class="line"><span class="t-inserted">+    responses: { 200: answer(note) },</span></span>
<span class="line"><span class="t-inserted">+  },</span></span></code></pre></div><p>Every field of a response or body has a text. <code>test/http/reference.test.ts</code> fails until it has.</p><p><code>packages/server/src/app/reference/fields/visitors.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> export const visitorsFields: FieldTexts = {</span></span>
<span class="line"><span class="t-inserted">+  Note: {</span></span>
<span class="line"><span class="t-inserted">+    &quot;&quot;: &quot;A note.&quot;,</span></span>
<span class="line"><span class="t-inserted">+    id: &quot;Id of the note.&quot;,</span></span>
<span class="line"><span class="t-inserted">+    text: &quot;What the note says.&quot;,</span></span>
<span class="line"><span class="t-inserted">+    createdAt: &quot;When the note was created.&quot;,</span></span>
<span class="line"><span class="t-inserted">+  },</span></span></code></pre></div><h2 id="_6-the-sdk" tabindex="-1">6. The SDK <a class="header-anchor" href="#_6-the-sdk" aria-label="Permalink to &quot;6. The SDK&quot;">​</a></h2><p><code>npm run reference</code> writes <code>packages/sdk/src/resources/notes.ts</code> (new) from the contract: the class, its methods, and the types <code>Note</code> and <code>NoteCreateParams</code> with their texts. You say which method an operation is, and what the class is called.</p><p><code>packages/server/scripts/api-reference/clients.ts</code> maps each operation to its SDK method and CLI command. The examples in the reference are generated from it too.</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>   &quot;erasure.erase&quot;: { sdk: &quot;visitors.erase&quot;, cli: &quot;visitors erase&quot; },</span></span>
<span class="line"><span class="t-inserted">+  &quot;notes.create&quot;: { sdk: &quot;notes.create&quot; },</span></span>
<span class="line"><span class="t-inserted">+  &quot;notes.get&quot;: { sdk: &quot;notes.get&quot; },</span></span></code></pre></div><p><code>packages/server/scripts/sdk/nouns.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+  notes: {</span></span>
<span class="line"><span class="t-inserted">+    about: &quot;Notes of an organization&quot;,</span></span>
<span class="line"><span class="t-inserted">+    class: &quot;Notes&quot;,</span></span>
<span class="line"><span class="t-inserted">+    property: &quot;notes&quot;,</span></span>
<span class="line"><span class="t-inserted">+    credentials: apiKey,</span></span>
<span class="line"><span class="t-inserted">+  },</span></span>
<span class="line"><span>   segments: {</span></span></code></pre></div><p>A call that waits, streams or uploads is written by hand in <code>packages/sdk/src/extensions</code>: <code>runs.ts</code> shows how.</p><p><code>packages/sdk/src/client.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> import { Suppression } from &quot;./resources/suppression.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { Notes } from &quot;./resources/notes.ts&quot;</span></span>
<span class="line"><span> import { TopicLists } from &quot;./resources/topic-lists.ts&quot;</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   declare readonly topics: Topics</span></span>
<span class="line"><span class="t-inserted">+  declare readonly notes: Notes</span></span>
<span class="line"><span>   declare readonly topicLists: TopicLists</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   topics: new Topics(transport),</span></span>
<span class="line"><span class="t-inserted">+  notes: new Notes(transport),</span></span>
<span class="line"><span>   topicLists: new TopicLists(transport),</span></span></code></pre></div><p><code>packages/sdk/src/index.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span> export type * from &quot;./resources/members.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+export type * from &quot;./resources/notes.ts&quot;</span></span>
<span class="line"><span> export type * from &quot;./resources/organizations.ts&quot;</span></span></code></pre></div><h2 id="_7-the-tests" tabindex="-1">7. The tests <a class="header-anchor" href="#_7-the-tests" aria-label="Permalink to &quot;7. The tests&quot;">​</a></h2><p>Write the tests first and see them fail. Each test&#39;s name is a rule.</p><p><code>packages/server/test/visitors/notes.test.ts</code> (new)</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+// Notes. What another organization sees of them: test/isolation.</span></span>
<span class="line"><span class="t-inserted">+import { randomUUID } from &quot;node:crypto&quot;</span></span>
<span class="line"><span class="t-inserted">+import { afterAll, beforeAll, expect, it } from &quot;vitest&quot;</span></span>
<span class="line"><span class="t-inserted">+import { caller } from &quot;../access/request.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+import { startServer, type TestServer } from &quot;../support/server.ts&quot;</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+let server: TestServer</span></span>
<span class="line"><span class="t-inserted">+let ask: (operation: string, body?: unknown) =&gt; ReturnType&lt;ReturnType&lt;typeof caller&gt;&gt;</span></span>
<span class="line"><span class="t-inserted">+beforeAll(async () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+  server = await startServer({ workers: false })</span></span>
<span class="line"><span class="t-inserted">+  ask = (operation, body) =&gt; caller(server)(operation, body, { apiKey: server.apiKey })</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+afterAll(() =&gt; server.close())</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+it(&quot;creates a note and gets it by its id&quot;, async () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+  const created = await ask(&quot;POST /v1/data/notes&quot;, { text: &quot; Call back &quot; })</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+  expect(created.status).toBe(201)</span></span>
<span class="line"><span class="t-inserted">+  expect(created.body.data).toEqual({</span></span>
<span class="line"><span class="t-inserted">+    id: expect.stringMatching(/^[0-9a-f-]{36}$/),</span></span>
<span class="line"><span class="t-inserted">+    text: &quot;Call back&quot;,</span></span>
<span class="line"><span class="t-inserted">+    createdAt: expect.stringMatching(/Z$/),</span></span>
<span class="line"><span class="t-inserted">+  })</span></span>
<span class="line"><span class="t-inserted">+  const { id } = created.body.data as { readonly id: string }</span></span>
<span class="line"><span class="t-inserted">+  expect((await ask(\`GET /v1/data/notes/\${id}\`)).body.data).toEqual(created.body.data)</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+it(&quot;answers 404 for an id that was never issued&quot;, async () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+  expect((await ask(\`GET /v1/data/notes/\${randomUUID()}\`)).status).toBe(404)</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+it(&quot;refuses a text of more than 500 characters&quot;, async () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+  expect((await ask(&quot;POST /v1/data/notes&quot;, { text: &quot;x&quot;.repeat(501) })).status).toBe(400)</span></span>
<span class="line"><span class="t-inserted">+})</span></span></code></pre></div><p><code>isolation/cases.ts</code> defines how to request another organization&#39;s objects. <code>npm test</code> fails until each parameter that identifies an object has a case.</p><p><code>packages/server/test/isolation/cases.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"></span>
<span class="line"><span class="t-inserted">+const noteOf = async (tenant: Tenant): Promise&lt;string&gt; =&gt;</span></span>
<span class="line"><span class="t-inserted">+  (await tenant.ask&lt;{ readonly id: string }&gt;(&quot;POST&quot;, &quot;/v1/data/notes&quot;, { text: &quot;x&quot; })).data.id</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+const notes = async (_ours: Tenant, theirs: Tenant): Promise&lt;Absent&gt; =&gt; ({</span></span>
<span class="line"><span class="t-inserted">+  foreign: await noteOf(theirs),</span></span>
<span class="line"><span class="t-inserted">+  unknown: randomUUID(),</span></span>
<span class="line"><span class="t-inserted">+})</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span> const audiences = async (ours: Tenant, theirs: Tenant): Promise&lt;Absent&gt; =&gt; {</span></span>
<span class="line"><span>@@</span></span>
<span class="line"><span>   ),</span></span>
<span class="line"><span class="t-inserted">+  &quot;notes.get path:noteId&quot;: notFound(</span></span>
<span class="line"><span class="t-inserted">+    async (ours) =&gt; ({ path: { noteId: await noteOf(ours) } }),</span></span>
<span class="line"><span class="t-inserted">+    notes,</span></span>
<span class="line"><span class="t-inserted">+  ),</span></span>
<span class="line"><span>   &quot;topicLists.get path:id&quot;: notFound(ofTopicList, topicLists),</span></span></code></pre></div><p><code>isolation/tenants.test.ts</code> reads everything in two organizations in turn, with the same cases.</p><p><code>erasure/columns.test.ts</code> lists the columns that can hold a person, by name and type. It fails until each is erased or excused with a reason. A note belongs to the organization. If it had a visitor&#39;s id, an erasure would have to delete it (<code>people/erasure/store.ts</code>), and the table would be listed in <code>erased</code>.</p><p><code>packages/server/test/erasure/columns.test.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+  note: [ofTheOrganization, &quot;text&quot;],</span></span>
<span class="line"><span>   organization: [ofTheOrganization, &quot;name&quot;, &quot;excluded_ips&quot;],</span></span></code></pre></div><p><code>contract/answerable.test.ts</code> stores the longest allowed text of each kind and reads it back.</p><p><code>packages/server/test/contract/answerable.test.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-inserted">+  &quot;POST /v1/data/notes&quot;: () =&gt; ({</span></span>
<span class="line"><span class="t-inserted">+    path: &quot;/v1/data/notes&quot;,</span></span>
<span class="line"><span class="t-inserted">+    body: { text: &quot;Call back&quot; },</span></span>
<span class="line"><span class="t-inserted">+    one: at(&quot;/v1/data/notes&quot;),</span></span>
<span class="line"><span class="t-inserted">+    isKept: true,</span></span>
<span class="line"><span class="t-inserted">+  }),</span></span>
<span class="line"><span>   &quot;POST /v1/intent/topic-lists&quot;: () =&gt; ({</span></span></code></pre></div><p>A new path parameter needs an example for the reference.</p><p><code>packages/server/scripts/api-reference/request.ts</code></p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>   kind: &quot;people&quot;,</span></span>
<span class="line"><span class="t-inserted">+  noteId: &quot;4f3a2b1c-0d9e-4f7a-8b6c-5d4e3f2a1b0c&quot;,</span></span>
<span class="line"><span>   ruleId: &quot;b8460a14-0bbe-4a55-b1c1-00a6a3064e5b&quot;,</span></span></code></pre></div><h2 id="_8-check" tabindex="-1">8. Check <a class="header-anchor" href="#_8-check" aria-label="Permalink to &quot;8. Check&quot;">​</a></h2><div class="language-text"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span>npm run reference   # writes docs/reference/api.md and the SDK&#39;s resources</span></span>
<span class="line"><span>npx vitest run --project sdk packages/sdk/test/exports.test.ts -u   # writes exports.txt</span></span>
<span class="line"><span>npm run format &amp;&amp; npm run check &amp;&amp; npm run lint</span></span>
<span class="line"><span>npx vitest run --project server packages/server/test/visitors/notes.test.ts packages/server/test/isolation packages/server/test/contract</span></span></code></pre></div><h2 id="a-new-command" tabindex="-1">A new command <a class="header-anchor" href="#a-new-command" aria-label="Permalink to &quot;A new command&quot;">​</a></h2><p>In <code>packages/cli</code>: <code>src/nouns.ts</code> lists the nouns. <code>src/&lt;noun&gt;/</code> contains a noun&#39;s commands, as values, and its views. <code>src/command/</code> defines what a command is, and <code>src/ui/</code> contains shared components. <code>src/connection/</code> finds the server and the credentials. <code>src/output/</code> prints JSON, CSV and tables. <code>src/terminal/</code> contains the pager, prompts, progress and help. <code>src/retry/</code> waits and retries, and <code>src/errors/</code> contains exit codes and error texts.</p><p>A command is a value in its noun&#39;s file. Adding <code>footfall topic-lists rename</code> changes two files: the noun and its test.</p><div class="language-diff"><button title="Copy Code" class="copy"></button><span class="lang">diff</span><pre class="shiki footfall vp-code" tabindex="0"><code><span class="line"><span class="t-deleted">--- a/packages/cli/src/topic-lists/topic-lists.ts</span></span>
<span class="line"><span class="t-inserted">+++ b/packages/cli/src/topic-lists/topic-lists.ts</span></span>
<span class="line"><span>@@ export const topicListCommands = [</span></span>
<span class="line"><span class="t-inserted">+  define&lt;object, [id: string, name: string]&gt;(&quot;rename&quot;, {</span></span>
<span class="line"><span class="t-inserted">+    description: &quot;rename a topic list&quot;,</span></span>
<span class="line"><span class="t-inserted">+    takes: (command) =&gt;</span></span>
<span class="line"><span class="t-inserted">+      command</span></span>
<span class="line"><span class="t-inserted">+        .argument(&quot;&lt;id&gt;&quot;, &quot;id of the list&quot;, topicListId)</span></span>
<span class="line"><span class="t-inserted">+        .argument(&quot;&lt;name&gt;&quot;, &quot;new name of the list&quot;),</span></span>
<span class="line"><span class="t-inserted">+    examples: [&quot;footfall topic-lists rename 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 Warehouse&quot;],</span></span>
<span class="line"><span class="t-inserted">+    credential: &quot;either&quot;,</span></span>
<span class="line"><span class="t-inserted">+    run: async ({ connect, print }, id, name) =&gt; {</span></span>
<span class="line"><span class="t-inserted">+      const client = await connect()</span></span>
<span class="line"><span class="t-inserted">+      const topicList = await client.topicLists.update(id, { name })</span></span>
<span class="line"><span class="t-inserted">+      await print(topicList, () =&gt; lines(\`Renamed topic list \${id} to \${topicList.name}.\`))</span></span>
<span class="line"><span class="t-inserted">+    },</span></span>
<span class="line"><span class="t-inserted">+  }),</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span>   define&lt;{ readonly yes?: true }, [id: string]&gt;(&quot;delete&quot;, {</span></span>
<span class="line"><span class="t-deleted">--- a/packages/cli/test/topics.test.ts</span></span>
<span class="line"><span class="t-inserted">+++ b/packages/cli/test/topics.test.ts</span></span>
<span class="line"><span>@@ describe(&quot;topic-lists&quot;, () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+  test(&quot;rename sends the new name and prints the list&quot;, async () =&gt; {</span></span>
<span class="line"><span class="t-inserted">+    api.on(\`PATCH \${one}\`, () =&gt; ({ data: topicList }))</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+    const { stdout, exitCode } = await runWithKey(&quot;topic-lists&quot;, &quot;rename&quot;, topicList.id, &quot;Freight&quot;)</span></span>
<span class="line"><span class="t-inserted">+</span></span>
<span class="line"><span class="t-inserted">+    expect(JSON.parse(stdout)).toMatchObject({ data: { id: topicList.id } })</span></span>
<span class="line"><span class="t-inserted">+    expect(exitCode).toBe(0)</span></span>
<span class="line"><span class="t-inserted">+  })</span></span></code></pre></div><ul><li><code>description</code>, <code>takes</code> and <code>examples</code> make up the help text. <code>npm run reference</code> generates <a href="/guide/reference/cli">the reference</a> from them, and completion uses the same values. The list of commands in the tests (<code>test/fixtures/commands.txt</code>) is a snapshot: update it with <code>npx vitest -u</code>.</li><li><code>run</code> receives <code>connect</code>, which creates the client with the command&#39;s credential, <code>options</code>, and <code>print</code>, <code>printList</code> or <code>printRows</code>. These print JSON when piped and a screen on a terminal.</li><li>A list is <code>listForm({ csvColumns, nouns, empty, columns })</code> in the same file. A custom screen is a component in <code>views.tsx</code>, which is loaded only when it is drawn: <code>view(async () =&gt; (await import(&quot;./views.tsx&quot;)).TopicListView, { … })</code>.</li><li>A new noun also needs an entry in <code>packages/cli/src/nouns.ts</code>.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/contributing/walkthrough.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const walkthrough = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  walkthrough as default
};
