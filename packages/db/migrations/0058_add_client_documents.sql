ALTER TABLE "oauth_clients" ADD COLUMN "document_url" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "fresh_until" timestamptz(3);--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_document" UNIQUE("workspace_id","document_url");