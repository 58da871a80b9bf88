ALTER TABLE "processes" ADD COLUMN "connections" integer;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "behind" jsonb;