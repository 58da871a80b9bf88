CREATE TABLE "backfills" (
	"name" text PRIMARY KEY NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"done_at" timestamptz(3)
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"version" text NOT NULL,
	"migration" bigint NOT NULL,
	"started_at" timestamptz(3) DEFAULT now() NOT NULL,
	"seen_at" timestamptz(3) DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "version" smallint DEFAULT 1 NOT NULL;