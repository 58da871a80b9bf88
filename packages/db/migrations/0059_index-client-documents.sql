CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "oauth_clients_document" ON "oauth_clients" USING btree ("workspace_id","document_url");
