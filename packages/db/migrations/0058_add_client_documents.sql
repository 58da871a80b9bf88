ALTER TABLE "oauth_clients" ADD COLUMN "document_url" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "fresh_until" timestamptz(3);
