<?php
// Of Debian's package, in place of vendor/autoload.php.
require_once 'Illuminate/autoload.php';
spl_autoload_register(function (string $class) {
    $file = dirname(__DIR__) . '/' . str_replace(['App\\', '\\'], ['app/', '/'], $class) . '.php';
    if (str_starts_with($class, 'App\\') && is_file($file)) {
        require $file;
    }
});
define('LARAVEL_START', microtime(true));
$app = new Illuminate\Foundation\Application(dirname(__DIR__));
$app->singleton(Illuminate\Contracts\Http\Kernel::class, App\Http\Kernel::class);
$app->singleton(Illuminate\Contracts\Console\Kernel::class, App\Console\Kernel::class);
$app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
return $app;
