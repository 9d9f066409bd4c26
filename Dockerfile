# The Footfall server, for a Postgres of your own: DATABASE_URL and FOOTFALL_SECRET are required
# (docs/reference/configuration.md). The command's files contain everything but Node, so the image is Node, these files
# and their assets. Runs as a user without rights, writes to /data alone.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json turbo.json tsconfig.base.json CHANGELOG.md CONTRIBUTING.md ./
COPY packages ./packages
COPY scripts ./scripts
COPY docs ./docs
COPY ops ./ops
RUN npm ci --no-audit --no-fund
RUN npm run build && npm run docs

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 PORT=4100
WORKDIR /footfall
COPY --from=build /source/packages/server/package.json ./package.json
COPY --from=build /source/packages/server/bin ./bin
COPY --from=build /source/packages/server/assets ./assets
COPY --from=build /source/packages/server/dist/main*.js ./dist/
COPY --from=build /source/packages/server/dist/*-worker.js ./dist/
RUN mkdir -m 700 /data && chown node:node /data && ln -s /footfall/bin/footfall-server.js /usr/local/bin/footfall-server
USER node
VOLUME /data
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/footfall-server.js"]
CMD ["start"]
