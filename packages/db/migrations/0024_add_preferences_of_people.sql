ALTER TABLE "employees" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "time_format" text;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "theme" text;--> statement-breakpoint
ALTER TABLE "employees" ADD COLUMN "density" text;