# For deployment; npm start and npm test need no container. One image for all of Muster's processes:
#   API      node --max-old-space-size=1024 --max-semi-space-size=16 --no-allocation-site-pretenuring dist/api/main.js (the default)
#   worker   node --max-old-space-size=2000 --max-semi-space-size=16 --no-flush-bytecode dist/workers/main.js
#   schema   node dist/scripts/migrate.js, before a new version of the others
#   check    node dist/scripts/doctor.js
# compose.yaml shows them together. Settings come from the environment: see the README.

# An LTS release. To pin the image itself: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without the packages of test/package.json.
RUN npm ci --workspaces=false
COPY . .
RUN npm run build && npm prune --omit=dev --no-save --workspaces=false

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# A new volume gets this folder's owner.
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
CMD ["node", "--enable-source-maps", "--max-old-space-size=1024", "--max-semi-space-size=16", "--no-allocation-site-pretenuring", "dist/api/main.js"]
