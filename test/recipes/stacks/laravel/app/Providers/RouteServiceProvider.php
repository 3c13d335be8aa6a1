<?php
namespace App\Providers;

use Illuminate\Support\Facades\Route;

class RouteServiceProvider extends \Illuminate\Foundation\Support\Providers\RouteServiceProvider
{
    public function boot()
    {
        $this->routes(fn () => Route::middleware('web')->group(base_path('routes/web.php')));
    }
}
