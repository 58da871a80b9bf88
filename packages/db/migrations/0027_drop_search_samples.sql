DROP INDEX "price_lists_sample";--> statement-breakpoint
DROP INDEX "products_sample";--> statement-breakpoint
DROP INDEX "companies_sample";--> statement-breakpoint
DROP INDEX "contacts_sample";--> statement-breakpoint
DROP INDEX "deals_sample";--> statement-breakpoint
DROP INDEX "leads_sample";--> statement-breakpoint
DROP INDEX "files_sample";--> statement-breakpoint
DROP INDEX "documents_sample";--> statement-breakpoint
DROP INDEX "invoices_sample";--> statement-breakpoint
DROP INDEX "orders_sample";--> statement-breakpoint
DROP INDEX "quotes_sample";--> statement-breakpoint
DROP INDEX "activities_sample";--> statement-breakpoint
DROP INDEX "custom_records_sample";--> statement-breakpoint
DROP INDEX "projects_sample";--> statement-breakpoint
DROP INDEX "tasks_sample";