ALTER TABLE "workspaces" ADD COLUMN "week_start" text DEFAULT 'MONDAY' NOT NULL;--> statement-breakpoint
ALTER TABLE "booking_mails" RENAME COLUMN "news" TO "change";
